CREATE TABLE `course_categories` (
	`course_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	PRIMARY KEY(`course_id`, `category_id`),
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `course_categories_category` ON `course_categories` (`category_id`,`course_id`);--> statement-breakpoint
CREATE TABLE `course_modules` (
	`course_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`position` integer NOT NULL,
	`required` integer NOT NULL,
	`counts` integer NOT NULL,
	`is_locked` integer NOT NULL,
	`drip_days` integer NOT NULL,
	`min_time_spent` integer NOT NULL,
	PRIMARY KEY(`course_id`, `module_id`),
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `course_modules_order` ON `course_modules` (`course_id`,`position`);--> statement-breakpoint
CREATE INDEX `course_modules_module` ON `course_modules` (`module_id`,`course_id`);--> statement-breakpoint
CREATE TABLE `courses` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`status` text NOT NULL,
	`content` text NOT NULL,
	`instructions` text NOT NULL,
	`featured_image_url` text,
	`author_id` integer,
	`certificate_template_id` integer,
	`estimated_minutes` integer DEFAULT 0 NOT NULL,
	`expires_after_days` integer DEFAULT 0 NOT NULL,
	`total_seats` integer DEFAULT 0 NOT NULL,
	`enable_course_rating` integer DEFAULT false NOT NULL,
	`module_count` integer DEFAULT 0 NOT NULL,
	`goal` integer DEFAULT 0 NOT NULL,
	`rating_sum` integer DEFAULT 0 NOT NULL,
	`rating_count` integer DEFAULT 0 NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `courses_slug` ON `courses` (`slug`);--> statement-breakpoint
CREATE INDEX `courses_name` ON `courses` ("name" collate nocase);--> statement-breakpoint
CREATE INDEX `courses_status` ON `courses` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `courses_created` ON `courses` (`created_at`);--> statement-breakpoint
CREATE INDEX `courses_author` ON `courses` (`author_id`);--> statement-breakpoint
CREATE INDEX `courses_certificate_template` ON `courses` (`certificate_template_id`);--> statement-breakpoint
CREATE TABLE `activities` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`verb` text NOT NULL,
	`course_id` integer,
	`course_name` text NOT NULL,
	`actor_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `activities_user` ON `activities` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `activities_course` ON `activities` (`course_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `activities_created` ON `activities` (`created_at`);--> statement-breakpoint
CREATE TABLE `enrolments` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`status` text DEFAULT 'Not Started' NOT NULL,
	`percent` integer DEFAULT 0 NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`time_spent` integer DEFAULT 0 NOT NULL,
	`group_id` integer,
	`learning_path_id` integer,
	`enrolled_by` integer,
	`registered_at` integer NOT NULL,
	`started_at` integer DEFAULT 0 NOT NULL,
	`completed_at` integer DEFAULT 0 NOT NULL,
	`expires_at` integer DEFAULT 0 NOT NULL,
	`last_accessed_at` integer DEFAULT 0 NOT NULL,
	`certificate_count` integer DEFAULT 0 NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enrolments_course_user` ON `enrolments` (`course_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `enrolments_course` ON `enrolments` (`course_id`);--> statement-breakpoint
CREATE INDEX `enrolments_course_status` ON `enrolments` (`course_id`,`status`);--> statement-breakpoint
CREATE INDEX `enrolments_course_status_registered` ON `enrolments` (`course_id`,`status`,`registered_at`);--> statement-breakpoint
CREATE INDEX `enrolments_course_percent` ON `enrolments` (`course_id`,`percent`);--> statement-breakpoint
CREATE INDEX `enrolments_course_registered` ON `enrolments` (`course_id`,`registered_at`);--> statement-breakpoint
CREATE INDEX `enrolments_course_started` ON `enrolments` (`course_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `enrolments_course_completed` ON `enrolments` (`course_id`,`completed_at`);--> statement-breakpoint
CREATE INDEX `enrolments_course_expires` ON `enrolments` (`course_id`,`expires_at`);--> statement-breakpoint
CREATE INDEX `enrolments_course_accessed` ON `enrolments` (`course_id`,`last_accessed_at`);--> statement-breakpoint
CREATE INDEX `enrolments_course_first_name` ON `enrolments` (`course_id`,"first_name" collate nocase);--> statement-breakpoint
CREATE INDEX `enrolments_course_last_name` ON `enrolments` (`course_id`,"last_name" collate nocase);--> statement-breakpoint
CREATE INDEX `enrolments_course_email` ON `enrolments` (`course_id`,"email" collate nocase);--> statement-breakpoint
CREATE INDEX `enrolments_user_registered` ON `enrolments` (`user_id`,`registered_at`);--> statement-breakpoint
CREATE INDEX `enrolments_registered` ON `enrolments` (`registered_at`);--> statement-breakpoint
CREATE INDEX `enrolments_group` ON `enrolments` (`group_id`,`course_id`);--> statement-breakpoint
CREATE INDEX `enrolments_learning_path` ON `enrolments` (`learning_path_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `module_statuses` (
	`id` integer PRIMARY KEY NOT NULL,
	`enrolment_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`status` text NOT NULL,
	`percent` integer DEFAULT 0 NOT NULL,
	`points_awarded` integer,
	`times_accessed` integer DEFAULT 0 NOT NULL,
	`time_spent` integer DEFAULT 0 NOT NULL,
	`started_at` integer DEFAULT 0 NOT NULL,
	`completed_at` integer DEFAULT 0 NOT NULL,
	`last_accessed_at` integer NOT NULL,
	FOREIGN KEY (`enrolment_id`) REFERENCES `enrolments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `module_statuses_enrolment_module` ON `module_statuses` (`enrolment_id`,`module_id`);--> statement-breakpoint
CREATE INDEX `module_statuses_module` ON `module_statuses` (`module_id`,`status`);--> statement-breakpoint
CREATE TABLE `tallies` (
	`audience` text NOT NULL,
	`course_id` integer NOT NULL,
	`not_started` integer NOT NULL,
	`in_progress` integer NOT NULL,
	`completed` integer NOT NULL,
	`time_spent` integer NOT NULL,
	PRIMARY KEY(`audience`, `course_id`)
);
--> statement-breakpoint
CREATE TABLE `group_course_seats` (
	`group_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`total_seats` integer NOT NULL,
	`used_seats` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`group_id`, `course_id`),
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `group_course_seats_course` ON `group_course_seats` (`course_id`,`group_id`);--> statement-breakpoint
CREATE TABLE `modules` (
	`id` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`content` text NOT NULL,
	`author_id` integer,
	`icon` text NOT NULL,
	`is_locked` integer DEFAULT false NOT NULL,
	`estimated_completion` integer DEFAULT 0 NOT NULL,
	`estimation_completed_unit` text DEFAULT 'minutes' NOT NULL,
	`total_points` integer DEFAULT 0 NOT NULL,
	`course_count` integer DEFAULT 0 NOT NULL,
	`submission_type` text DEFAULT '' NOT NULL,
	`allowed_filetypes` text DEFAULT '[]' NOT NULL,
	`max_upload_size` integer DEFAULT 0 NOT NULL,
	`video_url` text,
	`video_seconds` integer DEFAULT 0 NOT NULL,
	`pass_percent` integer DEFAULT 0 NOT NULL,
	`max_attempts` integer DEFAULT 0 NOT NULL,
	`time_limit_minutes` integer DEFAULT 0 NOT NULL,
	`scorm_version` text,
	`package_key` text,
	`launch_path` text,
	`package_bytes` integer DEFAULT 0 NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `modules_slug` ON `modules` (`slug`);--> statement-breakpoint
CREATE INDEX `modules_type` ON `modules` (`type`);--> statement-breakpoint
CREATE INDEX `modules_name` ON `modules` (`type`,"name" collate nocase);--> statement-breakpoint
CREATE INDEX `modules_type_slug` ON `modules` (`type`,`slug`);--> statement-breakpoint
CREATE INDEX `modules_created` ON `modules` (`type`,`created_at`);--> statement-breakpoint
CREATE INDEX `modules_courses` ON `modules` (`type`,`course_count`);--> statement-breakpoint
CREATE INDEX `modules_points` ON `modules` (`type`,`total_points`);--> statement-breakpoint
CREATE INDEX `modules_submission` ON `modules` (`type`,`submission_type`);--> statement-breakpoint
CREATE INDEX `modules_locked` ON `modules` (`type`,`is_locked`);--> statement-breakpoint
CREATE INDEX `modules_estimate` ON `modules` (`type`,`estimated_completion`);--> statement-breakpoint
CREATE INDEX `modules_author` ON `modules` (`author_id`);--> statement-breakpoint
CREATE TABLE `quiz_options` (
	`id` integer PRIMARY KEY NOT NULL,
	`question_id` integer NOT NULL,
	`position` integer NOT NULL,
	`text` text NOT NULL,
	`correct` integer NOT NULL,
	FOREIGN KEY (`question_id`) REFERENCES `quiz_questions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `quiz_options_question` ON `quiz_options` (`question_id`,`position`);--> statement-breakpoint
CREATE TABLE `quiz_questions` (
	`id` integer PRIMARY KEY NOT NULL,
	`module_id` integer NOT NULL,
	`position` integer NOT NULL,
	`text` text NOT NULL,
	`type` text NOT NULL,
	`points` integer NOT NULL,
	`answers` text NOT NULL,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `quiz_questions_module` ON `quiz_questions` (`module_id`,`position`);