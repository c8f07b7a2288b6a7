select size as place from orders;

select place as size from orders;
