-- Short codes of vectors, eight in a row: comparing a question with all of them takes a tenth of what reading the
-- vectors takes, and most of that is what Postgres spends on a row, whatever it holds. What lies nearest by its code is
-- put in order by the vectors. The rows follow the keys, which are digests: the first of them are a random sample.
create table linker.codes (
    collection_id integer not null,
    is_table boolean not null,
    block integer not null,
    key_0 bigint, key_1 bigint, key_2 bigint, key_3 bigint, key_4 bigint, key_5 bigint, key_6 bigint, key_7 bigint,
    code_0 bit varying, code_1 bit varying, code_2 bit varying, code_3 bit varying,
    code_4 bit varying, code_5 bit varying, code_6 bit varying, code_7 bit varying,
    primary key (is_table, block, collection_id)
) partition by list (collection_id);

-- Never compressed, and never apart from their row.
do $$
begin
    for place in 0..7 loop
        execute format('alter table linker.codes alter column %I set storage plain', 'code_' || place);
    end loop;
end $$;

create or replace function linker.parts() returns text[] language sql immutable as $$
    select array['documents', 'vectors', 'wordings', 'value_texts', 'value_places', 'lexemes', 'codes']
$$;

alter table linker.collections add column is_coded boolean not null default false;

-- Whether each number of a vector lies above zero, above a step and above its negative: the number of bits in which two
-- codes differ grows with the distance of the vectors. Two thirds of the numbers lie within a step of a vector of
-- length one; long vectors have bits enough in the signs alone.
create function linker.code_of(embedding vector) returns bit varying language sql immutable as $$
    select case when vector_dims(embedding) <= 1024 then
        binary_quantize(embedding + step) || binary_quantize(embedding) || binary_quantize(embedding - step)
    else
        binary_quantize(embedding)
    end
    from (
        select array_fill(0.6745 / sqrt(vector_dims(embedding)), array[vector_dims(embedding)])::vector as step
    ) as steps
$$;

create function linker.write_codes(id integer) returns void language plpgsql as $$
begin
    execute format('truncate linker.%I', 'codes_' || id);
    execute format(
        'insert into linker.%I
        select
            %s, is_table, block,
            %s, %s
        from (
            select is_table, document_key, code, (number / 8)::integer as block, number %% 8 as place
            from (
                select
                    is_table, document_key, linker.code_of(embedding) as code,
                    row_number() over (partition by is_table order by document_key) - 1 as number
                from linker.%I
            ) as numbered
        ) as placed
        group by is_table, block',
        'codes_' || id, id,
        (select string_agg(format('max(document_key) filter (where place = %s)', place), ', ') from generate_series(0, 7) as place),
        (select string_agg(format('(array_agg(code) filter (where place = %s))[1]', place), ', ') from generate_series(0, 7) as place),
        'vectors_' || id
    );
end $$;

do $$
declare
    id integer;
begin
    for id in select collection_id from linker.collections loop
        execute format('create table linker.%I partition of linker.codes for values in (%s)', 'codes_' || id, id);
    end loop;
    -- What has a graph goes on with it until it is settled anew, which needs no vector but those that are there.
    update linker.collections set is_settled = false where document_count >= 10000;
end $$;
