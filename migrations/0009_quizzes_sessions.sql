ALTER TABLE `scorm_attempts` ADD `session_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `quiz_attempts_status_started` ON `quiz_attempts` (`status`,`started_at`);