CREATE TABLE `assignment_uploads` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer,
	`object_key` text NOT NULL,
	`filename` text NOT NULL,
	`extension` text NOT NULL,
	`mime` text NOT NULL,
	`bytes` integer NOT NULL,
	`state` text DEFAULT 'new' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `assignment_uploads_state` ON `assignment_uploads` (`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `assignment_uploads_user` ON `assignment_uploads` (`user_id`);--> statement-breakpoint
CREATE TABLE `submission_files` (
	`submission_id` integer NOT NULL,
	`upload_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`submission_id`, `upload_id`),
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`upload_id`) REFERENCES `assignment_uploads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `submission_files_upload` ON `submission_files` (`upload_id`);--> statement-breakpoint
CREATE TABLE `submission_tallies` (
	`audience` text NOT NULL,
	`course_id` integer NOT NULL,
	`submitted` integer NOT NULL,
	`accepted` integer NOT NULL,
	`returned` integer NOT NULL,
	`closed` integer NOT NULL,
	PRIMARY KEY(`audience`, `course_id`)
);
--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` integer PRIMARY KEY NOT NULL,
	`enrolment_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`status_row_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`body` text DEFAULT '' NOT NULL,
	`student_message` text DEFAULT '' NOT NULL,
	`instructor_message` text DEFAULT '' NOT NULL,
	`points_awarded` integer,
	`evaluated_by` integer,
	`submitted_at` integer NOT NULL,
	`evaluated_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`enrolment_id`) REFERENCES `enrolments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_number` ON `submissions` (`enrolment_id`,`module_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_open` ON `submissions` (`status_row_id`) WHERE "submissions"."status" = 'Submitted';--> statement-breakpoint
CREATE INDEX `submissions_user` ON `submissions` (`user_id`);--> statement-breakpoint
CREATE INDEX `submissions_module` ON `submissions` (`module_id`);--> statement-breakpoint
CREATE INDEX `submissions_status` ON `submissions` (`status`);--> statement-breakpoint
CREATE INDEX `submissions_submitted` ON `submissions` (`submitted_at`);--> statement-breakpoint
CREATE INDEX `submissions_status_submitted` ON `submissions` (`status`,`submitted_at`);--> statement-breakpoint
CREATE INDEX `submissions_course` ON `submissions` (`course_id`);--> statement-breakpoint
CREATE INDEX `submissions_course_status` ON `submissions` (`course_id`,`status`);--> statement-breakpoint
CREATE INDEX `submissions_course_submitted` ON `submissions` (`course_id`,`submitted_at`);--> statement-breakpoint
CREATE INDEX `submissions_course_status_submitted` ON `submissions` (`course_id`,`status`,`submitted_at`);