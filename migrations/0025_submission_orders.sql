DROP INDEX `submissions_submitted`;--> statement-breakpoint
DROP INDEX `submissions_course_submitted`;--> statement-breakpoint
CREATE INDEX `submissions_status_number` ON `submissions` (`status`,`number`);--> statement-breakpoint
CREATE INDEX `submissions_status_module` ON `submissions` (`status`,`module_id`);--> statement-breakpoint
CREATE INDEX `submissions_status_row` ON `submissions` (`status`,`status_row_id`);--> statement-breakpoint
CREATE INDEX `submissions_course_status_number` ON `submissions` (`course_id`,`status`,`number`);--> statement-breakpoint
CREATE INDEX `submissions_course_status_module` ON `submissions` (`course_id`,`status`,`module_id`);--> statement-breakpoint
CREATE INDEX `submissions_course_status_row` ON `submissions` (`course_id`,`status`,`status_row_id`);