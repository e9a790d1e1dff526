# Real clusters as fixtures of ctest: started before the first story that needs one, removed after the last.
# One story at a time, since each wants the machine for itself. Each cluster comes after the stories of the one
# before, so that two are never up together: all fits in 2 GB.
set(cluster_tool ${CMAKE_CURRENT_SOURCE_DIR}/with_cluster.py)
set(cluster_logs ${CMAKE_CURRENT_BINARY_DIR})

# Options behind the number of nodes are those of `tools/cassandra start`.
function(cs_cluster_fixture name nodes)
  foreach(step IN ITEMS start stop)
    add_test(NAME cluster/${name}-${step}
             COMMAND /usr/bin/python3 -B ${cluster_tool} ${step} ${name} ${nodes} ${ARGN})
    set_tests_properties(cluster/${name}-${step} PROPERTIES
        LABELS "integration" RESOURCE_LOCK cassandra TIMEOUT 900
        ENVIRONMENT "CSTRESS_RUN=${cluster_logs}/run;CSTRESS_LOGS=${cluster_logs}")
  endforeach()
  set_tests_properties(cluster/${name}-start PROPERTIES FIXTURES_SETUP cassandra_${name})
  set_tests_properties(cluster/${name}-stop PROPERTIES FIXTURES_CLEANUP cassandra_${name})
endfunction()

# It takes encrypted connections as well as plain ones.
cs_cluster_fixture(one 1 --tls)
# Permissions are asked for each time, so that a change of them is felt at once.
cs_cluster_fixture(login 1 --login --set permissions_validity=0ms --set roles_validity=0ms
                   --set column_value_size_fail_threshold=1KiB --set items_per_collection_fail_threshold=10)
cs_cluster_fixture(three 3)
# What a node has acknowledged outlives its SIGKILL: by default the last tenth of a second of its log does not.
cs_cluster_fixture(durable 3 --set commitlog_sync=group --set commitlog_sync_group_window=10ms
                   --set commitlog_sync_period=0ms)
# One that a third node joins and leaves, and one with two nodes in dc1 and one in dc2.
cs_cluster_fixture(pair 2)
cs_cluster_fixture(centres 2,1)
set_tests_properties(cluster/login-start PROPERTIES DEPENDS cluster/one-stop)
set_tests_properties(cluster/three-start PROPERTIES DEPENDS cluster/login-stop)
set_tests_properties(cluster/durable-start PROPERTIES DEPENDS cluster/three-stop)
set_tests_properties(cluster/pair-start PROPERTIES DEPENDS cluster/durable-stop)
set_tests_properties(cluster/centres-start PROPERTIES DEPENDS cluster/pair-stop)

# cs_integration_test(NAME SCRIPT NODES LABEL): a story for the cluster of 1 or 3 NODES, or for that which wants a
# `login`, the `durable` one, the `pair` or the `centres`, in the tier LABEL (quick or slow). The script finds the program in CSTRESS, the addresses in
# CSTRESS_NODES, its cluster for tools/cassandra in CSTRESS_CLUSTER and a folder for what it leaves in CSTRESS_LOGS.
function(cs_integration_test name script nodes label)
  if(nodes EQUAL 1)
    set(cluster one)
  elseif(nodes EQUAL 3)
    set(cluster three)
  elseif(nodes MATCHES "^(login|durable|pair|centres)$")
    set(cluster ${nodes})
  else()
    message(FATAL_ERROR "cs_integration_test(${name}): there are clusters of 1 and of 3 nodes, login, durable, pair and centres, not ${nodes}")
  endif()
  add_test(NAME integration/${name}
           COMMAND /usr/bin/python3 -B ${cluster_tool} run ${cluster}
                   ${CMAKE_CURRENT_SOURCE_DIR}/${script})
  set_tests_properties(integration/${name} PROPERTIES
      LABELS "integration;${label}" TIMEOUT 900 RESOURCE_LOCK cassandra FIXTURES_REQUIRED cassandra_${cluster}
      ENVIRONMENT "CSTRESS=$<TARGET_FILE:cstress>;CSTRESS_RUN=${cluster_logs}/run;CSTRESS_LOGS=${cluster_logs}/${name}")
endfunction()
