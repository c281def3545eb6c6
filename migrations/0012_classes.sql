CREATE TABLE `class_enrolments` (
	`id` integer PRIMARY KEY NOT NULL,
	`class_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`status` text DEFAULT 'Registered' NOT NULL,
	`group_id` integer,
	`enrolled_by` integer,
	`notes` text DEFAULT '' NOT NULL,
	`registered_at` integer NOT NULL,
	`last_accessed_at` integer DEFAULT 0 NOT NULL,
	`certificate_count` integer DEFAULT 0 NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	FOREIGN KEY (`class_id`) REFERENCES `classes`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `class_enrolments_class_user` ON `class_enrolments` (`class_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `class_enrolments_class` ON `class_enrolments` (`class_id`);--> statement-breakpoint
CREATE INDEX `class_enrolments_class_only_status` ON `class_enrolments` (`class_id`,`status`);--> statement-breakpoint
CREATE INDEX `class_enrolments_class_registered` ON `class_enrolments` (`class_id`,`registered_at`);--> statement-breakpoint
CREATE INDEX `class_enrolments_class_accessed` ON `class_enrolments` (`class_id`,`last_accessed_at`);--> statement-breakpoint
CREATE INDEX `class_enrolments_class_status` ON `class_enrolments` (`class_id`,`status`,`registered_at`);--> statement-breakpoint
CREATE INDEX `class_enrolments_class_first_name` ON `class_enrolments` (`class_id`,"first_name" collate nocase);--> statement-breakpoint
CREATE INDEX `class_enrolments_class_last_name` ON `class_enrolments` (`class_id`,"last_name" collate nocase);--> statement-breakpoint
CREATE INDEX `class_enrolments_class_email` ON `class_enrolments` (`class_id`,"email" collate nocase);--> statement-breakpoint
CREATE INDEX `class_enrolments_user_start` ON `class_enrolments` (`user_id`,`start_at`);--> statement-breakpoint
CREATE INDEX `class_enrolments_user_registered` ON `class_enrolments` (`user_id`,`registered_at`);--> statement-breakpoint
CREATE INDEX `class_enrolments_course` ON `class_enrolments` (`course_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `class_enrolments_registered` ON `class_enrolments` (`registered_at`);--> statement-breakpoint
CREATE INDEX `class_enrolments_group` ON `class_enrolments` (`group_id`);--> statement-breakpoint
CREATE TABLE `class_materials` (
	`id` integer PRIMARY KEY NOT NULL,
	`class_id` integer,
	`position` integer DEFAULT 0 NOT NULL,
	`name` text NOT NULL,
	`extension` text NOT NULL,
	`mime_type` text NOT NULL,
	`size` integer NOT NULL,
	`key` text NOT NULL,
	`uploaded_by` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`class_id`) REFERENCES `classes`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `class_materials_key_unique` ON `class_materials` (`key`);--> statement-breakpoint
CREATE INDEX `class_materials_class` ON `class_materials` (`class_id`,`position`);--> statement-breakpoint
CREATE INDEX `class_materials_unused` ON `class_materials` (`created_at`) WHERE "class_materials"."class_id" is null;--> statement-breakpoint
CREATE TABLE `class_recordings` (
	`id` integer PRIMARY KEY NOT NULL,
	`class_id` integer NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`duration` integer DEFAULT 0 NOT NULL,
	`recorded_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`class_id`) REFERENCES `classes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `class_recordings_class` ON `class_recordings` (`class_id`,`recorded_at`);--> statement-breakpoint
CREATE TABLE `class_sessions` (
	`id` integer PRIMARY KEY NOT NULL,
	`class_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	FOREIGN KEY (`class_id`) REFERENCES `classes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `class_sessions_class` ON `class_sessions` (`class_id`,`start_at`);--> statement-breakpoint
CREATE INDEX `class_sessions_start` ON `class_sessions` (`start_at`);--> statement-breakpoint
CREATE INDEX `class_sessions_course` ON `class_sessions` (`course_id`,`start_at`);--> statement-breakpoint
CREATE TABLE `class_tallies` (
	`audience` text NOT NULL,
	`class_id` integer NOT NULL,
	`registered` integer NOT NULL,
	`attended` integer NOT NULL,
	`no_show` integer NOT NULL,
	`cancelled` integer NOT NULL,
	PRIMARY KEY(`audience`, `class_id`)
);
--> statement-breakpoint
CREATE TABLE `classes` (
	`id` integer PRIMARY KEY NOT NULL,
	`course_id` integer NOT NULL,
	`type` text NOT NULL,
	`recurrence` text,
	`disabled` integer NOT NULL,
	`allow_download` integer NOT NULL,
	`instructor_id` integer NOT NULL,
	`location_id` integer,
	`webinar_provider` text DEFAULT '' NOT NULL,
	`webinar_meeting_id` text DEFAULT '' NOT NULL,
	`webinar_host_pwd` text,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`session_count` integer NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`created_by` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`location_id`) REFERENCES `locations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `classes_start` ON `classes` (`start_at`);--> statement-breakpoint
CREATE INDEX `classes_end` ON `classes` (`end_at`);--> statement-breakpoint
CREATE INDEX `classes_size` ON `classes` (`size`);--> statement-breakpoint
CREATE INDEX `classes_course` ON `classes` (`course_id`);--> statement-breakpoint
CREATE INDEX `classes_course_start` ON `classes` (`course_id`,`start_at`);--> statement-breakpoint
CREATE INDEX `classes_course_end` ON `classes` (`course_id`,`end_at`);--> statement-breakpoint
CREATE INDEX `classes_course_size` ON `classes` (`course_id`,`size`);--> statement-breakpoint
CREATE INDEX `classes_location` ON `classes` (`location_id`,`start_at`);--> statement-breakpoint
CREATE INDEX `classes_instructor` ON `classes` (`instructor_id`,`start_at`);