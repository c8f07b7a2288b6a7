    select listed.*, elements.element
    from linker_joins as listed
    cross join lateral json_array_elements_text(cast(from_columns as json)) as elements (element);
