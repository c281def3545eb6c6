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
	`media_id` integer,
	`video_seconds` integer DEFAULT 0 NOT NULL,
	`pass_percent` integer DEFAULT 0 NOT NULL,
	`max_attempts` integer DEFAULT 0 NOT NULL,
	`time_limit_minutes` integer DEFAULT 0 NOT NULL,
	`shuffle_questions` integer DEFAULT false NOT NULL,
	`shuffle_options` integer DEFAULT false NOT NULL,
	`partial_credit` integer DEFAULT false NOT NULL,
	`review_detail` text DEFAULT 'explanations' NOT NULL,
	`review_after` text DEFAULT 'passed' NOT NULL,
	`scorm_version` text,
	`package_key` text,
	`launch_path` text,
	`launch_cmi` text DEFAULT '{}' NOT NULL,
	`package_bytes` integer DEFAULT 0 NOT NULL,
	`description_text` text DEFAULT '' NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "modules_type_check" CHECK(type in ('text', 'video', 'quiz', 'scorm', 'assignment')),
	CONSTRAINT "modules_estimation_completed_unit_check" CHECK(estimation_completed_unit in ('minutes', 'hour')),
	CONSTRAINT "modules_submission_type_check" CHECK(submission_type in ('', 'text', 'file')),
	CONSTRAINT "modules_review_detail_check" CHECK(review_detail in ('score', 'answers', 'explanations')),
	CONSTRAINT "modules_review_after_check" CHECK(review_after in ('attempt', 'passed', 'last')),
	CONSTRAINT "modules_scorm_version_check" CHECK(scorm_version in ('1.2', '2004'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `modules_slug` ON `modules` (`slug`);
--> statement-breakpoint
CREATE INDEX `modules_created` ON `modules` (`type`,`created_at`);
--> statement-breakpoint
CREATE INDEX `modules_author` ON `modules` (`author_id`);
--> statement-breakpoint
CREATE TABLE `quiz_options` (
	`id` integer PRIMARY KEY NOT NULL,
	`question_id` integer NOT NULL,
	`position` integer NOT NULL,
	`text` text NOT NULL,
	`correct` integer NOT NULL,
	`match` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`question_id`) REFERENCES `quiz_questions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `quiz_options_question` ON `quiz_options` (`question_id`,`position`);
--> statement-breakpoint
CREATE TABLE `quiz_questions` (
	`id` integer PRIMARY KEY NOT NULL,
	`module_id` integer NOT NULL,
	`position` integer NOT NULL,
	`text` text NOT NULL,
	`type` text NOT NULL,
	`points` integer NOT NULL,
	`answers` text NOT NULL,
	`blanks` text DEFAULT '[]' NOT NULL,
	`numeric` text,
	`explanation` text DEFAULT '' NOT NULL,
	`image_url` text DEFAULT '' NOT NULL,
	`image_alt` text DEFAULT '' NOT NULL,
	`category_id` integer,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "quiz_questions_type_check" CHECK(type in ('single', 'multiple', 'truefalse', 'short', 'matching', 'ordering', 'numeric', 'fillin', 'essay'))
);
--> statement-breakpoint
CREATE INDEX `quiz_questions_module` ON `quiz_questions` (`module_id`,`position`);
--> statement-breakpoint
CREATE INDEX `quiz_questions_category` ON `quiz_questions` (`category_id`);
--> statement-breakpoint
CREATE TABLE `notification_preferences` (
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`mail` text NOT NULL,
	`in_app` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "notification_preferences_kind_check" CHECK(kind in ('invited', 'enrolled', 'due_soon', 'overdue', 'class_reminder', 'class_changed', 'class_canceled', 'submission_graded', 'submission_returned', 'course_completed', 'certificate_expiring', 'certificate_expired', 'announcement', 'exempted', 'extended', 'team_overdue', 'report_ready', 'message')),
	CONSTRAINT "notification_preferences_mail_check" CHECK(mail in ('immediately', 'daily', 'never'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `notification_templates` (
	`kind` text NOT NULL,
	`portal_id` integer NOT NULL,
	`language` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_by` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `portal_id`, `language`),
	CONSTRAINT "notification_templates_kind_check" CHECK(kind in ('invited', 'enrolled', 'due_soon', 'overdue', 'class_reminder', 'class_changed', 'class_canceled', 'submission_graded', 'submission_returned', 'course_completed', 'certificate_expiring', 'certificate_expired', 'announcement', 'exempted', 'extended', 'team_overdue', 'report_ready', 'message'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `notifications` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`variables` text NOT NULL,
	`path` text NOT NULL,
	`read_at` integer DEFAULT 0 NOT NULL,
	`is_listed` integer DEFAULT true NOT NULL,
	`in_digest` integer DEFAULT false NOT NULL,
	`dedupe` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "notifications_kind_check" CHECK(kind in ('invited', 'enrolled', 'due_soon', 'overdue', 'class_reminder', 'class_changed', 'class_canceled', 'submission_graded', 'submission_returned', 'course_completed', 'certificate_expiring', 'certificate_expired', 'announcement', 'exempted', 'extended', 'team_overdue', 'report_ready', 'message'))
);
--> statement-breakpoint
CREATE INDEX `notifications_user` ON `notifications` (`user_id`,("read_at" > 0),"id" desc);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_dedupe` ON `notifications` (`dedupe`) WHERE "notifications"."dedupe" is not null;
--> statement-breakpoint
CREATE INDEX `notifications_digest` ON `notifications` (`user_id`) WHERE "notifications"."in_digest";
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer,
	`items` text NOT NULL,
	`total` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "orders_status_check" CHECK(status in ('pending', 'completed', 'refunded', 'failed'))
);
--> statement-breakpoint
CREATE INDEX `orders_user` ON `orders` (`user_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `orders_created` ON `orders` (`created_at`);
--> statement-breakpoint
CREATE INDEX `orders_updated_order` ON `orders` (`updated_at`);
--> statement-breakpoint
CREATE INDEX `orders_status_created` ON `orders` (`status`,`created_at`);
--> statement-breakpoint
CREATE TABLE `mail_pauses` (
	`id` integer PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`error` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer NOT NULL,
	`count` integer NOT NULL,
	CONSTRAINT "mail_pauses_reason_check" CHECK(reason in ('rate', 'quota', 'configuration'))
);
--> statement-breakpoint
CREATE TABLE `mailings` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`template` text NOT NULL,
	`portal_id` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `outbox` (
	`mailing_id` text NOT NULL,
	`number` integer NOT NULL,
	`user_id` integer,
	`recipient` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`priority` integer DEFAULT 0 NOT NULL,
	`secret` text,
	`variables` text,
	`dedupe` text,
	`status` text DEFAULT 'queued' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`not_before` integer NOT NULL,
	`dispatched_at` integer NOT NULL,
	`claim` text,
	`claimed_at` integer DEFAULT 0 NOT NULL,
	`uncertain_since` integer DEFAULT 0 NOT NULL,
	`sent_at` integer DEFAULT 0 NOT NULL,
	`error` text,
	PRIMARY KEY(`mailing_id`, `number`),
	FOREIGN KEY (`mailing_id`) REFERENCES `mailings`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "outbox_status_check" CHECK(status in ('queued', 'sending', 'sent', 'failed'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_dedupe` ON `outbox` (`dedupe`) WHERE "outbox"."dedupe" is not null;
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`priority`,`not_before`) WHERE "outbox"."not_before" > 0;
--> statement-breakpoint
CREATE TABLE `password_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `password_links_user` ON `password_links` (`user_id`);
--> statement-breakpoint
CREATE INDEX `password_links_expiry` ON `password_links` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `temporary_passwords` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `temporary_passwords_expiry` ON `temporary_passwords` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `pending_emails` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pending_emails_token_hash_unique` ON `pending_emails` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `pending_emails_expiry` ON `pending_emails` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `portal_members` (
	`portal_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`role` text NOT NULL,
	PRIMARY KEY(`portal_id`, `user_id`),
	FOREIGN KEY (`portal_id`) REFERENCES `portals`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "portal_members_role_check" CHECK(role in ('learner', 'admin'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `portal_members_user` ON `portal_members` (`user_id`,`portal_id`);
--> statement-breakpoint
CREATE INDEX `portal_members_admins` ON `portal_members` (`portal_id`) WHERE "portal_members"."role" = 'admin';
--> statement-breakpoint
CREATE TABLE `portals` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`referral_code` text NOT NULL,
	`user_type` text DEFAULT 'portal_admin' NOT NULL,
	`total_seat` integer DEFAULT 0 NOT NULL,
	`subscription_id` integer,
	`parent_portal_id` integer,
	`portal_type` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`expires_at` integer DEFAULT 0 NOT NULL,
	`expiry_message` text,
	`logo_url` text,
	`primary_color` text,
	`secondary_color` text,
	`sender_name` text,
	`reply_to` text,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL,
	FOREIGN KEY (`parent_portal_id`) REFERENCES `portals`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "portals_status_check" CHECK(status in ('active', 'inactive'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `portals_slug_unique` ON `portals` (`slug`);
--> statement-breakpoint
CREATE UNIQUE INDEX `portals_referral_code` ON `portals` ("referral_code" collate nocase);
--> statement-breakpoint
CREATE INDEX `portals_name` ON `portals` ("name" collate nocase);
--> statement-breakpoint
CREATE INDEX `portals_parent` ON `portals` (`parent_portal_id`);
--> statement-breakpoint
CREATE TABLE `bank_question_versions` (
	`question_id` integer NOT NULL,
	`version` integer NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`question_id`, `version`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `bank_questions` (
	`id` integer PRIMARY KEY NOT NULL,
	`pool_id` integer NOT NULL,
	`type` text NOT NULL,
	`text` text NOT NULL,
	`tags` text NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`pool_id`) REFERENCES `question_pools`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bank_questions_type_check" CHECK(type in ('single', 'multiple', 'truefalse', 'short', 'matching', 'ordering', 'numeric', 'fillin', 'essay'))
);
--> statement-breakpoint
CREATE INDEX `bank_questions_pool` ON `bank_questions` (`pool_id`);
--> statement-breakpoint
CREATE TABLE `question_pools` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`question_count` integer DEFAULT 0 NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `question_pools_name` ON `question_pools` ("name" collate nocase);
--> statement-breakpoint
CREATE TABLE `quiz_draws` (
	`module_id` integer NOT NULL,
	`position` integer NOT NULL,
	`pool_id` integer NOT NULL,
	`tag` text DEFAULT '' NOT NULL,
	`count` integer NOT NULL,
	`points` integer NOT NULL,
	PRIMARY KEY(`module_id`, `position`),
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`pool_id`) REFERENCES `question_pools`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `quiz_draws_pool` ON `quiz_draws` (`pool_id`);
--> statement-breakpoint
CREATE TABLE `quiz_attempts` (
	`id` integer PRIMARY KEY NOT NULL,
	`enrollment_id` integer NOT NULL,
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
	`layout` text,
	`recorded` integer DEFAULT false NOT NULL,
	`started_at` integer NOT NULL,
	`completed_at` integer DEFAULT 0 NOT NULL,
	`time_taken` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`enrollment_id`) REFERENCES `enrollments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "quiz_attempts_status_check" CHECK(status in ('In Progress', 'Completed')),
	CONSTRAINT "quiz_attempts_result_check" CHECK(result in ('', 'passed', 'failed', 'pending'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quiz_attempts_number` ON `quiz_attempts` (`enrollment_id`,`module_id`,`number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `quiz_attempts_open` ON `quiz_attempts` (`enrollment_id`,`module_id`) WHERE "quiz_attempts"."status" = 'In Progress';
--> statement-breakpoint
CREATE INDEX `quiz_attempts_user` ON `quiz_attempts` (`user_id`);
--> statement-breakpoint
CREATE INDEX `quiz_attempts_course` ON `quiz_attempts` (`course_id`);
--> statement-breakpoint
CREATE INDEX `quiz_attempts_module` ON `quiz_attempts` (`module_id`);
--> statement-breakpoint
CREATE INDEX `quiz_attempts_status_started` ON `quiz_attempts` (`status`,`started_at`);
--> statement-breakpoint
CREATE TABLE `quiz_counts` (
	`audience` text NOT NULL,
	`course_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`started` integer NOT NULL,
	`in_progress` integer NOT NULL,
	`completed` integer NOT NULL,
	PRIMARY KEY(`audience`, `course_id`, `module_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `quiz_versions` (
	`module_id` integer NOT NULL,
	`module_version` integer NOT NULL,
	`questions` text NOT NULL,
	`partial_credit` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`module_id`, `module_version`),
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `reencryptions` (
	`name` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`position` text,
	`since` integer NOT NULL,
	`done_at` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `report_deliveries` (
	`schedule_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`run_at` integer NOT NULL,
	`export_id` text NOT NULL,
	`status` text DEFAULT 'waiting' NOT NULL,
	`sent_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`schedule_id`, `user_id`, `run_at`),
	FOREIGN KEY (`schedule_id`) REFERENCES `report_schedules`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "report_deliveries_status_check" CHECK(status in ('waiting', 'sent', 'failed'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `report_deliveries_user` ON `report_deliveries` (`user_id`);
--> statement-breakpoint
CREATE INDEX `report_deliveries_waiting` ON `report_deliveries` (`export_id`) WHERE "report_deliveries"."status" = 'waiting';
--> statement-breakpoint
CREATE TABLE `report_recipients` (
	`schedule_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`schedule_id`, `user_id`),
	FOREIGN KEY (`schedule_id`) REFERENCES `report_schedules`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `report_recipients_user` ON `report_recipients` (`user_id`);
--> statement-breakpoint
CREATE TABLE `report_schedules` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`report` text NOT NULL,
	`filter` text NOT NULL,
	`interval` text NOT NULL,
	`day` integer NOT NULL,
	`hour` integer NOT NULL,
	`owner_id` integer NOT NULL,
	`active` integer NOT NULL,
	`next_run_at` integer NOT NULL,
	`last_run_at` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "report_schedules_report_check" CHECK(report in ('overdue', 'due_summary', 'compliance_matrix', 'enrollments')),
	CONSTRAINT "report_schedules_interval_check" CHECK(interval in ('weekly', 'monthly'))
);
--> statement-breakpoint
CREATE INDEX `report_schedules_owner` ON `report_schedules` (`owner_id`);
--> statement-breakpoint
CREATE INDEX `report_schedules_due` ON `report_schedules` (`next_run_at`) WHERE "report_schedules"."next_run_at" > 0;
--> statement-breakpoint
CREATE TABLE `course_days` (
	`course_id` integer NOT NULL,
	`day` text NOT NULL,
	`enrolled` integer NOT NULL,
	`started` integer NOT NULL,
	`completed` integer NOT NULL,
	PRIMARY KEY(`course_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `module_counts` (
	`course_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`in_progress` integer NOT NULL,
	`submitted` integer NOT NULL,
	`completed` integer NOT NULL,
	PRIMARY KEY(`course_id`, `module_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `quiz_scores` (
	`course_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`percent` integer NOT NULL,
	`attempts` integer NOT NULL,
	`passed` integer NOT NULL,
	PRIMARY KEY(`course_id`, `module_id`, `percent`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`rating` integer NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reviews_user_course` ON `reviews` (`course_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `reviews_user` ON `reviews` (`user_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `reviews_course_created` ON `reviews` (`course_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `reviews_created` ON `reviews` (`created_at`);
--> statement-breakpoint
CREATE INDEX `reviews_rating` ON `reviews` (`rating`);
--> statement-breakpoint
CREATE TABLE `scorm_attempts` (
	`id` integer PRIMARY KEY NOT NULL,
	`enrollment_id` integer NOT NULL,
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
	`session_key` text DEFAULT '' NOT NULL,
	`cmi` text NOT NULL,
	`started_at` integer NOT NULL,
	`last_accessed_at` integer NOT NULL,
	FOREIGN KEY (`enrollment_id`) REFERENCES `enrollments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "scorm_attempts_scorm_version_check" CHECK(scorm_version in ('1.2', '2004')),
	CONSTRAINT "scorm_attempts_completion_status_check" CHECK(completion_status in ('completed', 'incomplete', 'not attempted', 'unknown')),
	CONSTRAINT "scorm_attempts_success_status_check" CHECK(success_status in ('passed', 'failed', 'unknown'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scorm_attempts_number` ON `scorm_attempts` (`enrollment_id`,`module_id`,`number`);
--> statement-breakpoint
CREATE INDEX `scorm_attempts_module` ON `scorm_attempts` (`module_id`);
--> statement-breakpoint
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text,
	`logo_url` text,
	`primary_color` text,
	`secondary_color` text,
	`sender_name` text,
	`reply_to` text,
	`time_zone` text,
	`language` text,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sign_ups` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`person` text NOT NULL,
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sign_ups_expiry` ON `sign_ups` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `sso_logout_tokens` (
	`provider_id` integer NOT NULL,
	`jti_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`provider_id`, `jti_hash`),
	FOREIGN KEY (`provider_id`) REFERENCES `sso_providers`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sso_logout_tokens_expires` ON `sso_logout_tokens` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `sso_providers` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`client_secret` text,
	`scopes` text NOT NULL,
	`portal_id` integer,
	`domains` text NOT NULL,
	`claims` text NOT NULL,
	`role_claim` text DEFAULT '' NOT NULL,
	`roles` text DEFAULT '{}' NOT NULL,
	`group_claim` text DEFAULT '' NOT NULL,
	`groups` text DEFAULT '{}' NOT NULL,
	`updates` integer DEFAULT false NOT NULL,
	`ends_session` integer DEFAULT false NOT NULL,
	`creates` integer NOT NULL,
	`forced` integer NOT NULL,
	`active` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`portal_id`) REFERENCES `portals`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sso_providers_slug_unique` ON `sso_providers` (`slug`);
--> statement-breakpoint
CREATE INDEX `sso_providers_name` ON `sso_providers` ("name" collate nocase);
--> statement-breakpoint
CREATE INDEX `sso_providers_portal` ON `sso_providers` (`portal_id`);
--> statement-breakpoint
CREATE TABLE `sso_sessions` (
	`provider_id` integer NOT NULL,
	`sid` text NOT NULL,
	`user_id` integer NOT NULL,
	`session_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`provider_id`, `sid`, `session_id`),
	FOREIGN KEY (`provider_id`) REFERENCES `sso_providers`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sso_sessions_expires` ON `sso_sessions` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `sso_sessions_user` ON `sso_sessions` (`user_id`);
--> statement-breakpoint
CREATE TABLE `user_identities` (
	`provider_id` integer NOT NULL,
	`subject` text NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`provider_id`, `subject`),
	FOREIGN KEY (`provider_id`) REFERENCES `sso_providers`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `user_identities_user` ON `user_identities` (`user_id`,`provider_id`);
--> statement-breakpoint
CREATE TABLE `submission_counts` (
	`audience` text NOT NULL,
	`course_id` integer NOT NULL,
	`submitted` integer NOT NULL,
	`accepted` integer NOT NULL,
	`returned` integer NOT NULL,
	`closed` integer NOT NULL,
	PRIMARY KEY(`audience`, `course_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `submission_files` (
	`submission_id` integer NOT NULL,
	`upload_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`submission_id`, `upload_id`),
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`upload_id`) REFERENCES `assignment_uploads`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `submission_files_upload` ON `submission_files` (`upload_id`);
--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` integer PRIMARY KEY NOT NULL,
	`enrollment_id` integer NOT NULL,
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
	FOREIGN KEY (`enrollment_id`) REFERENCES `enrollments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "submissions_status_check" CHECK(status in ('Submitted', 'Accepted', 'Returned', 'Closed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_number` ON `submissions` (`enrollment_id`,`module_id`,`number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_open` ON `submissions` (`status_row_id`) WHERE "submissions"."status" = 'Submitted';
--> statement-breakpoint
CREATE INDEX `submissions_user` ON `submissions` (`user_id`);
--> statement-breakpoint
CREATE INDEX `submissions_module` ON `submissions` (`module_id`);
--> statement-breakpoint
CREATE INDEX `submissions_status_submitted` ON `submissions` (`status`,`submitted_at`);
--> statement-breakpoint
CREATE INDEX `submissions_course_status_submitted` ON `submissions` (`course_id`,`status`,`submitted_at`);
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`subscription_name` text NOT NULL,
	`total` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer DEFAULT 0 NOT NULL,
	`card_id` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`card_id`) REFERENCES `cards`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "subscriptions_status_check" CHECK(status in ('Active', 'Cancelled', 'Expired'))
);
--> statement-breakpoint
CREATE INDEX `subscriptions_user` ON `subscriptions` (`user_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `subscriptions_card` ON `subscriptions` (`card_id`,`status`) WHERE "subscriptions"."card_id" is not null;
--> statement-breakpoint
CREATE INDEX `subscriptions_status_created` ON `subscriptions` (`status`,`created_at`);
--> statement-breakpoint
CREATE INDEX `subscriptions_status_name` ON `subscriptions` (`status`,`subscription_name`);
--> statement-breakpoint
CREATE INDEX `subscriptions_status_end` ON `subscriptions` (`status`,`end_at`);
--> statement-breakpoint
CREATE TABLE `counters` (
	`key` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `guards` (
	`passed` integer NOT NULL,
	CONSTRAINT "guard" CHECK("guards"."passed" = 1)
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`client` text NOT NULL,
	`key` text NOT NULL,
	`request` text NOT NULL,
	`status` integer NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`client`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_age` ON `idempotency_keys` (`created_at`);
--> statement-breakpoint
CREATE TABLE `sequences` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `session_revocations` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`revocation` text NOT NULL,
	`pending` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `session_revocations_age` ON `session_revocations` (`created_at`);
--> statement-breakpoint
CREATE INDEX `session_revocations_pending` ON `session_revocations` (`user_id`) WHERE "session_revocations"."pending";
--> statement-breakpoint
CREATE TABLE `transcripts` (
	`id` integer PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`user_id` integer NOT NULL,
	`issued_by` integer,
	`issued_at` integer NOT NULL,
	`content` text NOT NULL,
	`digest` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transcripts_code` ON `transcripts` (`code`);
--> statement-breakpoint
CREATE INDEX `transcripts_user` ON `transcripts` (`user_id`,`issued_at`);
--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` integer NOT NULL,
	`code_hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `two_factor` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`active` integer DEFAULT false NOT NULL,
	`last_step` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `user_sources` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`identifier` text NOT NULL,
	`description` text,
	`logo_url` text,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_sources_identifier_unique` ON `user_sources` (`identifier`);
--> statement-breakpoint
CREATE INDEX `user_sources_name` ON `user_sources` ("name" collate nocase);
--> statement-breakpoint
CREATE TABLE `user_view_types` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text DEFAULT '' NOT NULL,
	`email` text NOT NULL,
	`email_verified_at` integer DEFAULT 0 NOT NULL,
	`password_hash` text,
	`user_type` text NOT NULL,
	`disabled` integer DEFAULT false NOT NULL,
	`display_name` text,
	`deprovisioned` integer DEFAULT false NOT NULL,
	`avatar` text,
	`internal_note` text,
	`time_zone` text,
	`language` text,
	`source_id` integer DEFAULT 1 NOT NULL,
	`membership_id` integer,
	`membership_expires_at` integer,
	`last_login_at` integer DEFAULT 0 NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL,
	`first_name_key` text DEFAULT '' NOT NULL,
	`last_name_key` text DEFAULT '' NOT NULL,
	`login_awards` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`source_id`) REFERENCES `user_sources`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`membership_id`) REFERENCES `memberships`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` ("email" collate nocase);
--> statement-breakpoint
CREATE INDEX `users_created` ON `users` (`created_at`);
--> statement-breakpoint
CREATE INDEX `users_updated_order` ON `users` (`updated_at`);
--> statement-breakpoint
CREATE INDEX `users_first_name` ON `users` (`first_name_key`);
--> statement-breakpoint
CREATE INDEX `users_last_name` ON `users` (`last_name_key`);
--> statement-breakpoint
CREATE INDEX `users_type` ON `users` (`user_type`);
--> statement-breakpoint
CREATE INDEX `users_source` ON `users` (`source_id`);
--> statement-breakpoint
CREATE INDEX `users_membership` ON `users` (`membership_id`) WHERE "users"."membership_id" is not null;
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`webhook_id` integer NOT NULL,
	`event_id` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer DEFAULT 0 NOT NULL,
	`last_at` integer DEFAULT 0 NOT NULL,
	`answer_status` integer,
	`answer` text DEFAULT '' NOT NULL,
	`error` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`webhook_id`, `event_id`),
	CONSTRAINT "webhook_deliveries_status_check" CHECK(status in ('delivered', 'waiting', 'failed'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`webhook_id`,`next_at`) WHERE "webhook_deliveries"."status" = 'waiting';
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`course_id` integer,
	`group_id` integer,
	`portal_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer DEFAULT 0 NOT NULL,
	`concurrency` integer DEFAULT 1 NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`off_reason` text DEFAULT '' NOT NULL,
	`position` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since` integer DEFAULT 0 NOT NULL,
	`paused_until` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`created_by` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "webhooks_off_reason_check" CHECK(off_reason in ('', 'failing', 'gone'))
);
