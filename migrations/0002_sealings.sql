CREATE TABLE `sealings` (
	`name` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`position` text,
	`since` integer NOT NULL,
	`done_at` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
