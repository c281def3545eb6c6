DROP INDEX `class_enrolments_class_first_name`;--> statement-breakpoint
DROP INDEX `class_enrolments_class_last_name`;--> statement-breakpoint
ALTER TABLE `class_enrolments` ADD `first_name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `class_enrolments` ADD `last_name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `class_enrolments_class_first_name` ON `class_enrolments` (`class_id`,`first_name_key`);--> statement-breakpoint
CREATE INDEX `class_enrolments_class_last_name` ON `class_enrolments` (`class_id`,`last_name_key`);--> statement-breakpoint
DROP INDEX `enrolments_course_status_first_name`;--> statement-breakpoint
DROP INDEX `enrolments_course_status_last_name`;--> statement-breakpoint
ALTER TABLE `enrolments` ADD `first_name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `enrolments` ADD `last_name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `enrolments_course_status_first_name` ON `enrolments` (`course_id`,`status`,`first_name_key`);--> statement-breakpoint
CREATE INDEX `enrolments_course_status_last_name` ON `enrolments` (`course_id`,`status`,`last_name_key`);--> statement-breakpoint
DROP INDEX `users_first_name`;--> statement-breakpoint
DROP INDEX `users_last_name`;--> statement-breakpoint
ALTER TABLE `users` ADD `first_name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `last_name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `users_first_name` ON `users` (`first_name_key`);--> statement-breakpoint
CREATE INDEX `users_last_name` ON `users` (`last_name_key`);
--> statement-breakpoint
UPDATE `users` SET `first_name_key` = lower(`first_name`), `last_name_key` = lower(`last_name`);
--> statement-breakpoint
WITH known (letters) AS (VALUES ('[
["À","a"],["Á","a"],["Â","a"],["Ã","a"],["Ä","a"],["Å","a"],["Æ","ae"],["Ç","c"],["È","e"],["É","e"],["Ê","e"],
["Ë","e"],["Ì","i"],["Í","i"],["Î","i"],["Ï","i"],["Ð","d"],["Ñ","n"],["Ò","o"],["Ó","o"],["Ô","o"],["Õ","o"],
["Ö","o"],["Ø","o"],["Ù","u"],["Ú","u"],["Û","u"],["Ü","u"],["Ý","y"],["Þ","th"],["ß","ss"],["à","a"],
["á","a"],["â","a"],["ã","a"],["ä","a"],["å","a"],["æ","ae"],["ç","c"],["è","e"],["é","e"],["ê","e"],["ë","e"],
["ì","i"],["í","i"],["î","i"],["ï","i"],["ð","d"],["ñ","n"],["ò","o"],["ó","o"],["ô","o"],["õ","o"],["ö","o"],
["ø","o"],["ù","u"],["ú","u"],["û","u"],["ü","u"],["ý","y"],["þ","th"],["ÿ","y"],["Ā","a"],["ā","a"],["Ă","a"],
["ă","a"],["Ą","a"],["ą","a"],["Ć","c"],["ć","c"],["Ĉ","c"],["ĉ","c"],["Ċ","c"],["ċ","c"],["Č","c"],["č","c"],
["Ď","d"],["ď","d"],["Đ","d"],["đ","d"],["Ē","e"],["ē","e"],["Ĕ","e"],["ĕ","e"],["Ė","e"],["ė","e"],["Ę","e"],
["ę","e"],["Ě","e"],["ě","e"],["Ĝ","g"],["ĝ","g"],["Ğ","g"],["ğ","g"],["Ġ","g"],["ġ","g"],["Ģ","g"],["ģ","g"],
["Ĥ","h"],["ĥ","h"],["Ĩ","i"],["ĩ","i"],["Ī","i"],["ī","i"],["Ĭ","i"],["ĭ","i"],["Į","i"],["į","i"],["İ","i"],
["ı","i"],["Ĵ","j"],["ĵ","j"],["Ķ","k"],["ķ","k"],["Ĺ","l"],["ĺ","l"],["Ļ","l"],["ļ","l"],["Ľ","l"],["ľ","l"],
["Ł","l"],["ł","l"],["Ń","n"],["ń","n"],["Ņ","n"],["ņ","n"],["Ň","n"],["ň","n"],["Ō","o"],["ō","o"],["Ŏ","o"],
["ŏ","o"],["Ő","o"],["ő","o"],["Œ","oe"],["œ","oe"],["Ŕ","r"],["ŕ","r"],["Ŗ","r"],["ŗ","r"],["Ř","r"],
["ř","r"],["Ś","s"],["ś","s"],["Ŝ","s"],["ŝ","s"],["Ş","s"],["ş","s"],["Š","s"],["š","s"],["Ţ","t"],["ţ","t"],
["Ť","t"],["ť","t"],["Ũ","u"],["ũ","u"],["Ū","u"],["ū","u"],["Ŭ","u"],["ŭ","u"],["Ů","u"],["ů","u"],["Ű","u"],
["ű","u"],["Ų","u"],["ų","u"],["Ŵ","w"],["ŵ","w"],["Ŷ","y"],["ŷ","y"],["Ÿ","y"],["Ź","z"],["ź","z"],["Ż","z"],
["ż","z"],["Ž","z"],["ž","z"]
]'))
UPDATE users SET
  first_name_key = (
  WITH RECURSIVE folded (n, name) AS (
    SELECT 0, lower(first_name)
    UNION ALL
    SELECT n + 1, replace(name, letters ->> ('$[' || n || '][0]'), letters ->> ('$[' || n || '][1]'))
    FROM folded JOIN known ON n < json_array_length(letters)
  )
  SELECT name FROM folded ORDER BY n DESC LIMIT 1
),
  last_name_key = (
  WITH RECURSIVE folded (n, name) AS (
    SELECT 0, lower(last_name)
    UNION ALL
    SELECT n + 1, replace(name, letters ->> ('$[' || n || '][0]'), letters ->> ('$[' || n || '][1]'))
    FROM folded JOIN known ON n < json_array_length(letters)
  )
  SELECT name FROM folded ORDER BY n DESC LIMIT 1
)
WHERE first_name || last_name GLOB '*[^ -~]*';
--> statement-breakpoint
UPDATE enrolments SET (first_name_key, last_name_key) = (
  SELECT first_name_key, last_name_key FROM users WHERE users.id = enrolments.user_id
);
--> statement-breakpoint
UPDATE class_enrolments SET (first_name_key, last_name_key) = (
  SELECT first_name_key, last_name_key FROM users WHERE users.id = class_enrolments.user_id
);
--> statement-breakpoint
DROP TRIGGER enrolments_user_renamed;
--> statement-breakpoint
DROP TRIGGER class_enrolments_user_renamed;
--> statement-breakpoint
CREATE TRIGGER enrolments_user_renamed AFTER UPDATE OF first_name, last_name, email ON users
WHEN old.first_name <> new.first_name OR old.last_name <> new.last_name OR old.email <> new.email BEGIN
  UPDATE enrolments SET
    first_name = new.first_name,
    last_name = new.last_name,
    first_name_key = new.first_name_key,
    last_name_key = new.last_name_key,
    email = new.email
  WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrolments_user_renamed AFTER UPDATE OF first_name, last_name, email ON users
WHEN old.first_name <> new.first_name OR old.last_name <> new.last_name OR old.email <> new.email BEGIN
  UPDATE class_enrolments SET
    first_name = new.first_name,
    last_name = new.last_name,
    first_name_key = new.first_name_key,
    last_name_key = new.last_name_key,
    email = new.email
  WHERE user_id = new.id;
END;
