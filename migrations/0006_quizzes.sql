CREATE TABLE `quiz_attempts` (
	`id` integer PRIMARY KEY NOT NULL,
	`enrolment_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`status_row_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`result` text DEFAULT '' NOT NULL,
	`score` real DEFAULT 0 NOT NULL,
	`out_of` real NOT NULL,
	`percent` integer DEFAULT 0 NOT NULL,
	`pass_percent` integer NOT NULL,
	`time_limit_minutes` integer DEFAULT 0 NOT NULL,
	`module_version` integer NOT NULL,
	`responses` text DEFAULT '[]' NOT NULL,
	`recorded` integer DEFAULT false NOT NULL,
	`started_at` integer NOT NULL,
	`completed_at` integer DEFAULT 0 NOT NULL,
	`time_taken` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`enrolment_id`) REFERENCES `enrolments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quiz_attempts_number` ON `quiz_attempts` (`enrolment_id`,`module_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `quiz_attempts_open` ON `quiz_attempts` (`enrolment_id`,`module_id`) WHERE "quiz_attempts"."status" = 'In Progress';--> statement-breakpoint
CREATE INDEX `quiz_attempts_status_row` ON `quiz_attempts` (`status_row_id`,`number`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_user` ON `quiz_attempts` (`user_id`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_course` ON `quiz_attempts` (`course_id`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_module` ON `quiz_attempts` (`module_id`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_status` ON `quiz_attempts` (`status`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_started` ON `quiz_attempts` (`started_at`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_completed` ON `quiz_attempts` (`completed_at`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_time` ON `quiz_attempts` (`time_taken`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_score` ON `quiz_attempts` (`score`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_percent` ON `quiz_attempts` (`percent`);--> statement-breakpoint
CREATE TABLE `quiz_papers` (
	`module_id` integer NOT NULL,
	`module_version` integer NOT NULL,
	`questions` text NOT NULL,
	PRIMARY KEY(`module_id`, `module_version`),
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `quiz_tallies` (
	`audience` text NOT NULL,
	`course_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`begun` integer NOT NULL,
	`in_progress` integer NOT NULL,
	`completed` integer NOT NULL,
	PRIMARY KEY(`audience`, `course_id`, `module_id`)
);
