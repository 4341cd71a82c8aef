#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kujira_fuzz::record::run(data));
