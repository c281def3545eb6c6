CREATE TABLE `certificate_template_versions` (
	`template_id` integer NOT NULL,
	`last_certificate_id` integer NOT NULL,
	`bg_url` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`fields` text NOT NULL,
	`qr_code` text,
	PRIMARY KEY(`template_id`, `last_certificate_id`),
	FOREIGN KEY (`template_id`) REFERENCES `certificate_templates`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `certificate_templates` ADD `qr_code` text;