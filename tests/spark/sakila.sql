-- A part of Sakila, the MySQL sample database, in SQL that both Spark and DuckDB accept.

-- Copyright (c) 2006, 2019, Oracle and/or its affiliates.
-- All rights reserved.

-- Redistribution and use in source and binary forms, with or without
-- modification, are permitted provided that the following conditions are
-- met:

-- * Redistributions of source code must retain the above copyright notice,
--   this list of conditions and the following disclaimer.
-- * Redistributions in binary form must reproduce the above copyright
--   notice, this list of conditions and the following disclaimer in the
--   documentation and/or other materials provided with the distribution.
-- * Neither the name of Oracle nor the names of its contributors may be used
--   to endorse or promote products derived from this software without
--   specific prior written permission.

-- THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS
-- IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO,
-- THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR
-- PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR
-- CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL,
-- EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO,
-- PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR
-- PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF
-- LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
-- NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
-- SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

create schema sakila;

create table sakila.language (language_id int, name string);
insert into sakila.language values
    (1, 'English'),
    (2, 'Italian'),
    (3, 'Japanese'),
    (4, 'Mandarin'),
    (5, 'French'),
    (6, 'German');

create table sakila.film (film_id int, title string, release_year int, language_id int, rental_rate decimal(4, 2), length smallint, rating string);
insert into sakila.film values
    (42, 'ARTIST COLDBLOODED', 2006, 1, 2.99, 170, 'NC-17'),
    (68, 'BETRAYED REAR', 2006, 1, 4.99, 122, 'NC-17'),
    (83, 'BLUES INSTINCT', 2006, 1, 2.99, 50, 'G'),
    (86, 'BOOGIE AMELIE', 2006, 1, 4.99, 121, 'R'),
    (196, 'CRUELTY UNFORGIVEN', 2006, 1, 0.99, 69, 'G'),
    (228, 'DETECTIVE VISION', 2006, 1, 0.99, 143, 'PG-13'),
    (239, 'DOGMA FAMILY', 2006, 1, 4.99, 122, 'G'),
    (243, 'DOORS PRESIDENT', 2006, 1, 4.99, 49, 'NC-17'),
    (285, 'ENGLISH BULWORTH', 2006, 1, 0.99, 51, 'PG-13'),
    (301, 'FAMILY SWEET', 2006, 1, 0.99, 155, 'R'),
    (308, 'FERRIS MOTHER', 2006, 1, 2.99, 142, 'PG'),
    (493, 'KANE EXORCIST', 2006, 1, 0.99, 92, 'R'),
    (545, 'MADNESS ATTACKS', 2006, 1, 0.99, 178, 'PG-13'),
    (604, 'MULAN MOON', 2006, 1, 0.99, 160, 'G'),
    (611, 'MUSKETEERS WAIT', 2006, 1, 4.99, 73, 'PG'),
    (615, 'NASH CHOCOLAT', 2006, 1, 2.99, 180, 'PG-13'),
    (628, 'NORTHWEST POLISH', 2006, 1, 2.99, 172, 'PG'),
    (663, 'PATIENT SISTER', 2006, 1, 0.99, 99, 'NC-17'),
    (683, 'PITY BOUND', 2006, 1, 4.99, 60, 'NC-17'),
    (730, 'RIDGEMONT SUBMARINE', 2006, 1, 0.99, 46, 'PG-13'),
    (732, 'RINGS HEARTBREAKERS', 2006, 1, 0.99, 58, 'G'),
    (759, 'SALUTE APOLLO', 2006, 1, 2.99, 73, 'R'),
    (816, 'SNOWMAN ROLLERCOASTER', 2006, 1, 0.99, 62, 'G'),
    (858, 'SUBMARINE BED', 2006, 1, 4.99, 127, 'R'),
    (870, 'SWARM GOLD', 2006, 1, 0.99, 123, 'PG-13'),
    (875, 'TALENTED HOMICIDE', 2006, 1, 0.99, 173, 'PG'),
    (880, 'TELEMARK HEARTBREAKERS', 2006, 1, 2.99, 152, 'PG-13'),
    (896, 'TOOTSIE PILOT', 2006, 1, 0.99, 157, 'PG'),
    (931, 'VALENTINE VANISHING', 2006, 1, 0.99, 48, 'PG-13'),
    (1000, 'ZORRO ARK', 2006, 1, 4.99, 50, 'NC-17');

create table sakila.country (country_id int, country string);
insert into sakila.country values
    (1, 'Afghanistan'),
    (2, 'Algeria'),
    (3, 'American Samoa'),
    (39, 'Greece'),
    (44, 'India'),
    (46, 'Iran'),
    (50, 'Japan'),
    (60, 'Mexico'),
    (64, 'Myanmar'),
    (68, 'New Zealand'),
    (71, 'Oman'),
    (82, 'Saudi Arabia'),
    (87, 'Spain'),
    (92, 'Taiwan'),
    (101, 'United Arab Emirates'),
    (103, 'United States'),
    (108, 'Yugoslavia');

create table sakila.city as
select * from (values
    (1, 'A Corua (La Corua)', 87),
    (2, 'Abha', 82),
    (3, 'Abu Dhabi', 101),
    (4, 'Acua', 60),
    (38, 'Athenai', 39),
    (162, 'Esfahan', 46),
    (200, 'Hamilton', 68),
    (280, 'Kragujevac', 108),
    (295, 'Laredo', 103),
    (329, 'Masqat', 71),
    (349, 'Myingyan', 64),
    (361, 'Nantou', 92),
    (440, 'Sagamihara', 50),
    (449, 'San Bernardino', 103),
    (463, 'Sasebo', 50),
    (582, 'Yamuna Nagar', 44)
) as listed(city_id, city, country_id);

create table sakila.customer (customer_id int, store_id int, first_name string, last_name string, email string, city_id int, active boolean);
insert into sakila.customer values
    (1, 1, 'MARY', 'SMITH', 'MARY.SMITH@sakilacustomer.org', 463, true),
    (2, 1, 'PATRICIA', 'JOHNSON', 'PATRICIA.JOHNSON@sakilacustomer.org', 449, true),
    (3, 1, 'LINDA', 'WILLIAMS', 'LINDA.WILLIAMS@sakilacustomer.org', 38, true),
    (4, 2, 'BARBARA', 'JONES', 'BARBARA.JONES@sakilacustomer.org', 349, true),
    (5, 1, 'ELIZABETH', 'BROWN', 'ELIZABETH.BROWN@sakilacustomer.org', 361, true),
    (6, 2, 'JENNIFER', 'DAVIS', 'JENNIFER.DAVIS@sakilacustomer.org', 295, true),
    (7, 1, 'MARIA', 'MILLER', 'MARIA.MILLER@sakilacustomer.org', 280, true),
    (8, 2, 'SUSAN', 'WILSON', 'SUSAN.WILSON@sakilacustomer.org', 200, true),
    (9, 2, 'MARGARET', 'MOORE', 'MARGARET.MOORE@sakilacustomer.org', 329, true),
    (10, 1, 'DOROTHY', 'TAYLOR', 'DOROTHY.TAYLOR@sakilacustomer.org', 162, true),
    (11, 2, 'LISA', 'ANDERSON', 'LISA.ANDERSON@sakilacustomer.org', 440, true),
    (12, 1, 'NANCY', 'THOMAS', 'NANCY.THOMAS@sakilacustomer.org', 582, true);

create table sakila.inventory (inventory_id int, film_id int, store_id int);
insert into sakila.inventory values
    (187, 42, 2),
    (301, 68, 1),
    (375, 83, 1),
    (390, 86, 1),
    (886, 196, 1),
    (1021, 228, 2),
    (1075, 239, 2),
    (1090, 243, 1),
    (1290, 285, 1),
    (1364, 301, 1),
    (1407, 308, 1),
    (2279, 493, 2),
    (2484, 545, 1),
    (2756, 604, 2),
    (2785, 611, 1),
    (2803, 615, 2),
    (2867, 628, 2),
    (3021, 663, 2),
    (3109, 683, 1),
    (3318, 730, 1),
    (3328, 732, 1),
    (3464, 759, 2),
    (3731, 816, 1),
    (3938, 858, 2),
    (3998, 870, 2),
    (4020, 875, 2),
    (4044, 880, 2),
    (4124, 896, 2),
    (4278, 931, 2),
    (4577, 1000, 1);

create table sakila.rental (rental_id bigint, rental_date timestamp, inventory_id bigint, customer_id bigint, return_date timestamp);
insert into sakila.rental values
    (46, timestamp '2005-05-25 06:04:08', 3318, 7, timestamp '2005-06-02 08:18:08'),
    (57, timestamp '2005-05-25 08:43:32', 3938, 6, timestamp '2005-05-29 06:42:32'),
    (76, timestamp '2005-05-25 11:30:37', 3021, 1, timestamp '2005-06-03 12:00:37'),
    (117, timestamp '2005-05-25 19:30:46', 4278, 7, timestamp '2005-05-31 23:59:46'),
    (320, timestamp '2005-05-27 00:09:24', 1090, 2, timestamp '2005-05-28 04:30:24'),
    (350, timestamp '2005-05-27 05:01:28', 2756, 9, timestamp '2005-06-04 05:01:28'),
    (435, timestamp '2005-05-27 17:17:09', 3328, 3, timestamp '2005-06-02 11:20:09'),
    (573, timestamp '2005-05-28 10:35:23', 4020, 1, timestamp '2005-06-03 06:32:23'),
    (577, timestamp '2005-05-28 11:09:14', 375, 6, timestamp '2005-06-01 13:27:14'),
    (731, timestamp '2005-05-29 07:25:16', 4124, 5, timestamp '2005-05-30 05:21:16'),
    (748, timestamp '2005-05-29 09:27:00', 2803, 7, timestamp '2005-06-03 04:25:00'),
    (830, timestamp '2005-05-29 22:43:55', 3464, 3, timestamp '2005-06-01 17:43:55'),
    (866, timestamp '2005-05-30 03:43:54', 2867, 8, timestamp '2005-06-08 04:28:54'),
    (877, timestamp '2005-05-30 05:48:59', 886, 9, timestamp '2005-06-02 09:30:59'),
    (916, timestamp '2005-05-30 11:25:01', 1290, 6, timestamp '2005-05-31 09:06:01'),
    (975, timestamp '2005-05-30 21:07:15', 3109, 7, timestamp '2005-06-03 01:48:15'),
    (987, timestamp '2005-05-30 22:59:12', 390, 11, timestamp '2005-06-07 20:56:12'),
    (988, timestamp '2005-05-30 23:08:03', 1364, 12, timestamp '2005-06-07 00:22:03'),
    (1063, timestamp '2005-05-31 08:44:29', 2484, 7, timestamp '2005-06-09 08:00:29'),
    (1075, timestamp '2005-05-31 10:13:34', 2279, 9, timestamp '2005-06-09 08:11:34'),
    (1084, timestamp '2005-05-31 11:10:17', 4577, 12, timestamp '2005-06-01 11:15:17'),
    (1085, timestamp '2005-05-31 11:15:43', 301, 5, timestamp '2005-06-07 12:02:43'),
    (1140, timestamp '2005-05-31 19:36:30', 3731, 10, timestamp '2005-06-07 18:33:30'),
    (1142, timestamp '2005-05-31 19:46:38', 3998, 5, timestamp '2005-06-05 14:03:38'),
    (1185, timestamp '2005-06-15 00:54:12', 2785, 1, timestamp '2005-06-23 02:42:12'),
    (1297, timestamp '2005-06-15 09:31:28', 1075, 4, timestamp '2005-06-19 04:33:28'),
    (1305, timestamp '2005-06-15 09:59:16', 187, 8, timestamp '2005-06-19 09:48:16'),
    (1422, timestamp '2005-06-15 18:02:53', 1021, 1, timestamp '2005-06-19 15:54:53'),
    (1470, timestamp '2005-06-15 20:53:07', 4044, 11, timestamp '2005-06-25 02:12:07'),
    (1476, timestamp '2005-06-15 21:08:46', 1407, 1, timestamp '2005-06-25 02:26:46');
