CREATE TABLE `scorm_attempts` (
	`id` integer PRIMARY KEY NOT NULL,
	`enrolment_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`status_row_id` integer NOT NULL,
	`number` integer NOT NULL,
	`scorm_version` text NOT NULL,
	`completion_status` text NOT NULL,
	`success_status` text NOT NULL,
	`score_raw` real,
	`score_min` real,
	`score_max` real,
	`score_scaled` real,
	`total_time` real DEFAULT 0 NOT NULL,
	`session_time` real DEFAULT 0 NOT NULL,
	`cmi` text NOT NULL,
	`started_at` integer NOT NULL,
	`last_accessed_at` integer NOT NULL,
	FOREIGN KEY (`enrolment_id`) REFERENCES `enrolments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scorm_attempts_number` ON `scorm_attempts` (`enrolment_id`,`module_id`,`number`);--> statement-breakpoint
CREATE INDEX `scorm_attempts_status_row` ON `scorm_attempts` (`status_row_id`,`number`);--> statement-breakpoint
CREATE INDEX `scorm_attempts_module` ON `scorm_attempts` (`module_id`);--> statement-breakpoint
CREATE TABLE `scorm_interactions` (
	`attempt_id` integer NOT NULL,
	`position` integer NOT NULL,
	`interaction_id` text NOT NULL,
	`type` text NOT NULL,
	`objectives` text NOT NULL,
	`timestamp` text NOT NULL,
	`correct_responses` text NOT NULL,
	`weighting` text NOT NULL,
	`learner_response` text NOT NULL,
	`result` text NOT NULL,
	`latency` text NOT NULL,
	`description` text NOT NULL,
	PRIMARY KEY(`attempt_id`, `position`),
	FOREIGN KEY (`attempt_id`) REFERENCES `scorm_attempts`(`id`) ON UPDATE no action ON DELETE cascade
);
