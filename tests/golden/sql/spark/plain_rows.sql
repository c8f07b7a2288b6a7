    select inline(from_json('[{"place": 1, "name": "it\'s", "is_old": true}, {"place": 2, "name": null, "is_old": false}]', 'array<struct<place: integer, name: string, is_old: boolean>>'));
