select array_position(cast(array['small', 'it''s large'] as text[]), cast(size as text)) as place from orders;

select (cast(array['small', 'it''s large'] as text[]))[place] as size from orders;
