select to_json_string(approx_quantiles(number, 20)) as quantiles from all_values;
