# Warnings, language level and the sanitizer, coverage and fuzz builds; each one is chosen by a preset.
option(CSTRESS_WERROR "Treat warnings as errors (presets only: a newer compiler must not break a package)" OFF)
set(CSTRESS_SANITIZE "" CACHE STRING "Sanitizers for the whole build: address,undefined or thread")
option(CSTRESS_COVERAGE "Instrument for gcovr" OFF)
option(CSTRESS_FUZZ "Build the libFuzzer targets (clang)" OFF)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(cs_flags INTERFACE)
target_compile_definitions(cs_flags INTERFACE _GNU_SOURCE)
target_include_directories(cs_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
# Generated data must not depend on the machine: one rounding per operation (no fused multiply-add).
target_compile_options(cs_flags INTERFACE -ffp-contract=off
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
    -Wcast-qual -Wcast-align -Wwrite-strings -Wpointer-arith -Wformat=2
    -Wundef -Wvla -Wdouble-promotion -Wimplicit-fallthrough)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_compile_options(cs_flags INTERFACE -Wlogical-op -Wduplicated-cond -Wduplicated-branches)
endif()
if(CSTRESS_WERROR)
  target_compile_options(cs_flags INTERFACE -Werror)
endif()
if(CSTRESS_SANITIZE)
  target_compile_options(cs_flags INTERFACE -fsanitize=${CSTRESS_SANITIZE} -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
  target_link_options(cs_flags INTERFACE -fsanitize=${CSTRESS_SANITIZE})
endif()
if(CSTRESS_COVERAGE)
  target_compile_options(cs_flags INTERFACE --coverage)
  target_link_options(cs_flags INTERFACE --coverage)
endif()
if(CSTRESS_FUZZ)
  target_compile_options(cs_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined)
  target_link_options(cs_flags INTERFACE -fsanitize=address,undefined)
endif()
