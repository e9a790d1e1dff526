# What the graph page is made of. The charts are drawn by a library of the system, which goes into every page
# so that it works without a network.
include(${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
find_file(CSTRESS_CHART_JS NAMES chart.min.js Chart.min.js NO_DEFAULT_PATH
          PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist
          DOC "Chart.js 3 or later, minified, for the graph page")
if(NOT CSTRESS_CHART_JS)
  message(FATAL_ERROR "chart.min.js is missing (for the graph page): install the package libjs-chart.js, "
                      "or say where it is with -DCSTRESS_CHART_JS=FILE")
endif()
cs_embed(report
    ${CMAKE_CURRENT_LIST_DIR}/graph.html=report_page_html
    ${CMAKE_CURRENT_LIST_DIR}/graph.css=report_page_css
    ${CMAKE_CURRENT_LIST_DIR}/graph.js=report_page_js
    ${CSTRESS_CHART_JS}=report_page_chart)
