CREATE TABLE `certificate_template_keys` (
	`key` text NOT NULL,
	`template_id` integer NOT NULL,
	PRIMARY KEY(`key`, `template_id`),
	FOREIGN KEY (`template_id`) REFERENCES `certificate_templates`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `certificate_template_keys_template` ON `certificate_template_keys` (`template_id`);--> statement-breakpoint
CREATE TABLE `certificate_templates` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`bg_url` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`fields` text NOT NULL,
	`author_id` integer,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `certificate_templates_name` ON `certificate_templates` ("name" collate nocase);--> statement-breakpoint
CREATE INDEX `certificate_templates_created` ON `certificate_templates` (`created_at`);--> statement-breakpoint
CREATE INDEX `certificate_templates_author` ON `certificate_templates` (`author_id`);--> statement-breakpoint
CREATE TABLE `certificates` (
	`id` integer PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`user_id` integer NOT NULL,
	`enrolment_id` integer,
	`class_enrolment_id` integer,
	`course_id` integer,
	`template_id` integer NOT NULL,
	`course_name` text NOT NULL,
	`instructor_name` text NOT NULL,
	`course_credit` real NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer DEFAULT 0 NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`enrolment_id`) REFERENCES `enrolments`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`class_enrolment_id`) REFERENCES `class_enrolments`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`template_id`) REFERENCES `certificate_templates`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `certificates_code` ON `certificates` (`code`);--> statement-breakpoint
CREATE INDEX `certificates_user` ON `certificates` (`user_id`,`issued_at`);--> statement-breakpoint
CREATE INDEX `certificates_enrolment` ON `certificates` (`enrolment_id`);--> statement-breakpoint
CREATE INDEX `certificates_class_enrolment` ON `certificates` (`class_enrolment_id`);--> statement-breakpoint
CREATE INDEX `certificates_course` ON `certificates` (`course_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `certificates_template` ON `certificates` (`template_id`);--> statement-breakpoint
ALTER TABLE `courses` ADD `course_credit` real DEFAULT 0 NOT NULL;