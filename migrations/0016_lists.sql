DROP INDEX `enrolments_course`;--> statement-breakpoint
DROP INDEX `enrolments_course_percent`;--> statement-breakpoint
DROP INDEX `enrolments_course_registered`;--> statement-breakpoint
DROP INDEX `enrolments_course_started`;--> statement-breakpoint
DROP INDEX `enrolments_course_completed`;--> statement-breakpoint
DROP INDEX `enrolments_course_expires`;--> statement-breakpoint
DROP INDEX `enrolments_course_accessed`;--> statement-breakpoint
DROP INDEX `enrolments_course_first_name`;--> statement-breakpoint
DROP INDEX `enrolments_course_last_name`;--> statement-breakpoint
DROP INDEX `enrolments_course_email`;--> statement-breakpoint
DROP INDEX `enrolments_registered`;--> statement-breakpoint
CREATE INDEX `enrolments_course_status_user` ON `enrolments` (`course_id`,`status`,`user_id`);--> statement-breakpoint
CREATE INDEX `enrolments_course_status_percent` ON `enrolments` (`course_id`,`status`,`percent`);--> statement-breakpoint
CREATE INDEX `enrolments_course_status_started` ON `enrolments` (`course_id`,`status`,`started_at`);--> statement-breakpoint
CREATE INDEX `enrolments_course_status_completed` ON `enrolments` (`course_id`,`status`,`completed_at`);--> statement-breakpoint
CREATE INDEX `enrolments_course_status_expires` ON `enrolments` (`course_id`,`status`,`expires_at`);--> statement-breakpoint
CREATE INDEX `enrolments_course_status_accessed` ON `enrolments` (`course_id`,`status`,`last_accessed_at`);--> statement-breakpoint
CREATE INDEX `enrolments_course_status_first_name` ON `enrolments` (`course_id`,`status`,"first_name" collate nocase);--> statement-breakpoint
CREATE INDEX `enrolments_course_status_last_name` ON `enrolments` (`course_id`,`status`,"last_name" collate nocase);--> statement-breakpoint
CREATE INDEX `enrolments_course_status_email` ON `enrolments` (`course_id`,`status`,"email" collate nocase);--> statement-breakpoint
CREATE INDEX `enrolments_status` ON `enrolments` (`status`);--> statement-breakpoint
CREATE INDEX `enrolments_status_percent` ON `enrolments` (`status`,`percent`);--> statement-breakpoint
CREATE INDEX `enrolments_status_started` ON `enrolments` (`status`,`started_at`);--> statement-breakpoint
CREATE INDEX `enrolments_status_completed` ON `enrolments` (`status`,`completed_at`);--> statement-breakpoint
CREATE INDEX `enrolments_status_expires` ON `enrolments` (`status`,`expires_at`);--> statement-breakpoint
CREATE INDEX `enrolments_status_accessed` ON `enrolments` (`status`,`last_accessed_at`);--> statement-breakpoint
CREATE INDEX `enrolments_status_time` ON `enrolments` (`status`,`time_spent`);--> statement-breakpoint
DROP INDEX `orders_total`;--> statement-breakpoint
DROP INDEX `orders_currency`;--> statement-breakpoint
CREATE INDEX `orders_status_total` ON `orders` (`status`,`total`);--> statement-breakpoint
CREATE INDEX `orders_status_currency` ON `orders` (`status`,`currency`);--> statement-breakpoint
DROP INDEX `quiz_attempts_started`;--> statement-breakpoint
DROP INDEX `quiz_attempts_completed`;--> statement-breakpoint
DROP INDEX `quiz_attempts_time`;--> statement-breakpoint
DROP INDEX `quiz_attempts_score`;--> statement-breakpoint
DROP INDEX `quiz_attempts_percent`;--> statement-breakpoint
CREATE INDEX `quiz_attempts_status_completed` ON `quiz_attempts` (`status`,`completed_at`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_status_time` ON `quiz_attempts` (`status`,`time_taken`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_status_score` ON `quiz_attempts` (`status`,`score`);--> statement-breakpoint
CREATE INDEX `quiz_attempts_status_percent` ON `quiz_attempts` (`status`,`percent`);--> statement-breakpoint
DROP INDEX `subscriptions_created`;--> statement-breakpoint
DROP INDEX `subscriptions_name`;--> statement-breakpoint
DROP INDEX `subscriptions_total`;--> statement-breakpoint
DROP INDEX `subscriptions_start`;--> statement-breakpoint
DROP INDEX `subscriptions_end`;--> statement-breakpoint
DROP INDEX `subscriptions_status`;--> statement-breakpoint
CREATE INDEX `subscriptions_status_created` ON `subscriptions` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_status_name` ON `subscriptions` (`status`,`subscription_name`);--> statement-breakpoint
CREATE INDEX `subscriptions_status_total` ON `subscriptions` (`status`,`total`);--> statement-breakpoint
CREATE INDEX `subscriptions_status_start` ON `subscriptions` (`status`,`start_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_status_end` ON `subscriptions` (`status`,`end_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_status` ON `subscriptions` (`status`);--> statement-breakpoint
DROP INDEX `courses_status`;--> statement-breakpoint
ALTER TABLE `courses` ADD `description_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `courses` ADD `sort_name` text GENERATED ALWAYS AS ((lower(name) || char(1) || printf('%010d', id))) VIRTUAL NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `courses_sort_name` ON `courses` (`sort_name`);--> statement-breakpoint
CREATE INDEX `courses_status_name` ON `courses` (`status`,"name" collate nocase);--> statement-breakpoint
CREATE INDEX `courses_status_slug` ON `courses` (`status`,`slug`);--> statement-breakpoint
CREATE INDEX `courses_status_created` ON `courses` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `courses_status` ON `courses` (`status`);--> statement-breakpoint
DROP INDEX `activities_verb`;--> statement-breakpoint
CREATE INDEX `activities_verb_created` ON `activities` (`verb`,`created_at`);--> statement-breakpoint
CREATE INDEX `activities_verb` ON `activities` (`verb`);--> statement-breakpoint
ALTER TABLE `modules` ADD `description_text` text DEFAULT '' NOT NULL;