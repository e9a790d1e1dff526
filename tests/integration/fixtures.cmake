# Real clusters as fixtures of ctest: started before the first story that needs one, removed after the last.
# One story at a time, since each wants the machine for itself. The three nodes come after the stories of the
# single node, so that both clusters are never up together: all fits in 2 GB.
set(cluster_tool ${CMAKE_CURRENT_SOURCE_DIR}/with_cluster.py)
set(cluster_logs ${CMAKE_CURRENT_BINARY_DIR})

function(cs_cluster_fixture name nodes)
  foreach(step IN ITEMS start stop)
    add_test(NAME cluster/${name}-${step}
             COMMAND /usr/bin/python3 -B ${cluster_tool} ${step} ${name} ${nodes})
    set_tests_properties(cluster/${name}-${step} PROPERTIES
        LABELS "integration" RESOURCE_LOCK cassandra TIMEOUT 900
        ENVIRONMENT "CSTRESS_RUN=${cluster_logs}/run;CSTRESS_LOGS=${cluster_logs}")
  endforeach()
  set_tests_properties(cluster/${name}-start PROPERTIES FIXTURES_SETUP cassandra_${name})
  set_tests_properties(cluster/${name}-stop PROPERTIES FIXTURES_CLEANUP cassandra_${name})
endfunction()

cs_cluster_fixture(one 1)
cs_cluster_fixture(three 3)
set_tests_properties(cluster/three-start PROPERTIES DEPENDS cluster/one-stop)

# cs_integration_test(NAME SCRIPT NODES LABEL): a story for the cluster of 1 or 3 NODES, in the tier LABEL (quick
# or slow). The script finds the program in CSTRESS, the addresses in CSTRESS_NODES, its cluster for
# tools/cassandra in CSTRESS_CLUSTER and a folder for what it leaves in CSTRESS_LOGS.
function(cs_integration_test name script nodes label)
  if(nodes EQUAL 1)
    set(cluster one)
  elseif(nodes EQUAL 3)
    set(cluster three)
  else()
    message(FATAL_ERROR "cs_integration_test(${name}): there is a cluster of 1 and one of 3 nodes, not of ${nodes}")
  endif()
  add_test(NAME integration/${name}
           COMMAND /usr/bin/python3 -B ${cluster_tool} run ${cluster}
                   ${CMAKE_CURRENT_SOURCE_DIR}/${script})
  set_tests_properties(integration/${name} PROPERTIES
      LABELS "integration;${label}" TIMEOUT 900 RESOURCE_LOCK cassandra FIXTURES_REQUIRED cassandra_${cluster}
      ENVIRONMENT "CSTRESS=$<TARGET_FILE:cstress>;CSTRESS_RUN=${cluster_logs}/run;CSTRESS_LOGS=${cluster_logs}/${name}")
endfunction()
