CREATE TABLE `audit_tallies` (
	`audience` text NOT NULL,
	`period` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`audience`, `period`, `action`, `subject`)
);
--> statement-breakpoint
ALTER TABLE `audit_logs` ADD `user_id` integer GENERATED ALWAYS AS (case when subject = 'user' then subject_id else performed_by end) VIRTUAL;--> statement-breakpoint
CREATE INDEX `audit_logs_action` ON `audit_logs` (`action`,`created_at`);--> statement-breakpoint
CREATE INDEX `audit_logs_subject_action` ON `audit_logs` (`subject`,`action`,`created_at`);--> statement-breakpoint
CREATE INDEX `audit_logs_user` ON `audit_logs` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `audit_logs_by_action` ON `audit_logs` (`action`);--> statement-breakpoint
CREATE INDEX `audit_logs_by_subject` ON `audit_logs` (`subject`);--> statement-breakpoint
CREATE INDEX `audit_logs_by_effect` ON `audit_logs` ("effect_on" collate nocase);--> statement-breakpoint
CREATE INDEX `class_enrolments_status_registered` ON `class_enrolments` (`status`,`registered_at`);