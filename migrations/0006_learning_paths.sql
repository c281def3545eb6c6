CREATE TABLE `membership_courses` (
	`membership_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	PRIMARY KEY(`membership_id`, `course_id`),
	FOREIGN KEY (`membership_id`) REFERENCES `memberships`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `membership_courses_course` ON `membership_courses` (`course_id`,`membership_id`);--> statement-breakpoint
CREATE TABLE `learning_path_courses` (
	`learning_path_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`learning_path_id`, `course_id`),
	FOREIGN KEY (`learning_path_id`) REFERENCES `learning_paths`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `learning_path_courses_course` ON `learning_path_courses` (`course_id`,`learning_path_id`);--> statement-breakpoint
CREATE TABLE `learning_path_enrolments` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`learning_path_id` integer NOT NULL,
	`status` text NOT NULL,
	`percent` integer NOT NULL,
	`completed_courses` integer NOT NULL,
	`certificate_count` integer NOT NULL,
	`registered_at` integer NOT NULL,
	`started_at` integer NOT NULL,
	`completed_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`learning_path_id`) REFERENCES `learning_paths`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `learning_path_enrolments_user` ON `learning_path_enrolments` (`user_id`,`learning_path_id`);--> statement-breakpoint
CREATE INDEX `learning_path_enrolments_path` ON `learning_path_enrolments` (`learning_path_id`);--> statement-breakpoint
CREATE TABLE `learning_paths` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`type` text NOT NULL,
	`featured_image_url` text,
	`course_count` integer DEFAULT 0 NOT NULL,
	`estimated_minutes` integer DEFAULT 0 NOT NULL,
	`rating_sum` integer DEFAULT 0 NOT NULL,
	`rating_count` integer DEFAULT 0 NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `learning_paths_slug` ON `learning_paths` (`slug`);--> statement-breakpoint
CREATE INDEX `learning_paths_name` ON `learning_paths` ("name" collate nocase);--> statement-breakpoint
CREATE INDEX `learning_paths_type` ON `learning_paths` (`type`);--> statement-breakpoint
CREATE INDEX `learning_paths_created` ON `learning_paths` (`created_at`);--> statement-breakpoint
CREATE INDEX `learning_paths_courses` ON `learning_paths` (`course_count`);--> statement-breakpoint
CREATE INDEX `learning_paths_estimate` ON `learning_paths` (`estimated_minutes`);--> statement-breakpoint
ALTER TABLE `enrolments` ADD `points_awarded` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `enrolments` ADD `points_possible` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `enrolments_status_registered` ON `enrolments` (`status`,`registered_at`);--> statement-breakpoint
CREATE INDEX `activities_verb` ON `activities` (`verb`,`created_at`);