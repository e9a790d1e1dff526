# Files that a room carries inside the program, as byte arrays in a source generated at build time.
#
#   cs_embed(ROOM FILE=symbol ...)   symbol and symbol_size are declared by hand in the room
set(CS_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${INPUT} hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  file(SIZE ${INPUT} size)
  file(WRITE ${OUTPUT} "/* generated from ${NAME} */\n#include <stddef.h>\n\n"
       "extern const unsigned char ${SYMBOL}[];\nextern const size_t ${SYMBOL}_size;\n"
       "const size_t ${SYMBOL}_size = ${size};\n"
       "const unsigned char ${SYMBOL}[] = {\n${bytes}\n};\n")
  return()
endif()

function(cs_embed room)
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "^(.*)=([a-z0-9_]+)$" ok ${pair})
    set(file ${CMAKE_MATCH_1})
    set(symbol ${CMAKE_MATCH_2})
    get_filename_component(name ${file} NAME)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${output} -DSYMBOL=${symbol} -DNAME=${name}
                -P ${CS_EMBED_SCRIPT}
        DEPENDS ${file} ${CS_EMBED_SCRIPT} VERBATIM)
    target_sources(cs_${room} PRIVATE ${output})
  endforeach()
endfunction()
