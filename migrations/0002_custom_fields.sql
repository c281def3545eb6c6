CREATE TABLE `custom_field_values` (
	`user_id` integer NOT NULL,
	`field_id` integer NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`user_id`, `field_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`field_id`) REFERENCES `custom_fields`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `custom_field_values_field` ON `custom_field_values` (`field_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `custom_fields` (
	`id` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`label` text NOT NULL,
	`user_meta_key` text NOT NULL,
	`default_value` text,
	`is_required` integer NOT NULL,
	`options` text NOT NULL,
	`on_registration_page` integer NOT NULL,
	`on_certificate` integer NOT NULL,
	`reports` text NOT NULL,
	`display_order` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_fields_key` ON `custom_fields` ("user_meta_key" collate nocase);