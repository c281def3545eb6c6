CREATE TABLE `addresses` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`is_default` integer NOT NULL,
	`full_name` text NOT NULL,
	`org_name` text DEFAULT '' NOT NULL,
	`org_vat_id` text DEFAULT '' NOT NULL,
	`address_line1` text NOT NULL,
	`address_line2` text DEFAULT '' NOT NULL,
	`zipcode` text NOT NULL,
	`city` text NOT NULL,
	`state` text DEFAULT '' NOT NULL,
	`country` text NOT NULL,
	`billing_address_id` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`billing_address_id`) REFERENCES `addresses`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "addresses_type_check" CHECK(type in ('billing', 'shipping'))
);
--> statement-breakpoint
CREATE INDEX `addresses_user` ON `addresses` (`user_id`,`type`);
--> statement-breakpoint
CREATE UNIQUE INDEX `addresses_default` ON `addresses` (`user_id`,`type`) WHERE "addresses"."is_default" = 1;
--> statement-breakpoint
CREATE INDEX `addresses_billing` ON `addresses` (`billing_address_id`) WHERE "addresses"."billing_address_id" is not null;
--> statement-breakpoint
CREATE TABLE `announcement_courses` (
	`announcement_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`shown_until` integer NOT NULL,
	PRIMARY KEY(`announcement_id`, `course_id`),
	FOREIGN KEY (`announcement_id`) REFERENCES `announcements`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `announcement_courses_course` ON `announcement_courses` (`course_id`,`shown_until`,`announcement_id`);
--> statement-breakpoint
CREATE TABLE `announcement_portals` (
	`announcement_id` integer NOT NULL,
	`portal_id` integer NOT NULL,
	`shown_until` integer NOT NULL,
	PRIMARY KEY(`announcement_id`, `portal_id`),
	FOREIGN KEY (`announcement_id`) REFERENCES `announcements`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`portal_id`) REFERENCES `portals`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `announcement_portals_portal` ON `announcement_portals` (`portal_id`,`shown_until`,`announcement_id`);
--> statement-breakpoint
CREATE TABLE `announcement_users` (
	`announcement_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`shown_until` integer NOT NULL,
	PRIMARY KEY(`announcement_id`, `user_id`),
	FOREIGN KEY (`announcement_id`) REFERENCES `announcements`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `announcement_users_user` ON `announcement_users` (`user_id`,`shown_until`,`announcement_id`);
--> statement-breakpoint
CREATE TABLE `announcements` (
	`id` integer PRIMARY KEY NOT NULL,
	`heading` text NOT NULL,
	`content` text NOT NULL,
	`sending_rules` text NOT NULL,
	`limited_to_portals` integer NOT NULL,
	`state` text NOT NULL,
	`expires_at` integer DEFAULT 0 NOT NULL,
	`user_count` integer DEFAULT 0 NOT NULL,
	`author_id` integer,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "announcements_sending_rules_check" CHECK(sending_rules in ('all', 'specific_users', 'specific_course_users')),
	CONSTRAINT "announcements_state_check" CHECK(state in ('everyone', 'some', 'ended'))
);
--> statement-breakpoint
CREATE INDEX `announcements_state` ON `announcements` (`state`);
--> statement-breakpoint
CREATE INDEX `announcements_state_heading` ON `announcements` (`state`,"heading" collate nocase);
--> statement-breakpoint
CREATE INDEX `announcements_state_created` ON `announcements` (`state`,`created_at`);
--> statement-breakpoint
CREATE INDEX `announcements_state_expires` ON `announcements` (`state`,`expires_at`);
--> statement-breakpoint
CREATE INDEX `announcements_author` ON `announcements` (`author_id`);
--> statement-breakpoint
CREATE TABLE `api_key_names` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`role` text NOT NULL,
	`access` text NOT NULL,
	`families` text,
	`scopes` text DEFAULT '[]' NOT NULL,
	`expires_at` integer DEFAULT 0 NOT NULL,
	`last_used_at` integer DEFAULT 0 NOT NULL,
	`generation` integer DEFAULT 1 NOT NULL,
	`created_by` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "api_keys_access_check" CHECK(access in ('read', 'write'))
);
--> statement-breakpoint
CREATE TABLE `assignment_claims` (
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`rule_id` integer NOT NULL,
	`due_at` integer NOT NULL,
	`enrolled` integer NOT NULL,
	`pending` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`user_id`, `course_id`, `rule_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`rule_id`) REFERENCES `assignment_rules`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `assignment_claims_rule` ON `assignment_claims` (`rule_id`,`user_id`);
--> statement-breakpoint
CREATE TABLE `assignment_members` (
	`rule_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`assigned_at` integer NOT NULL,
	PRIMARY KEY(`rule_id`, `user_id`),
	FOREIGN KEY (`rule_id`) REFERENCES `assignment_rules`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `assignment_members_user` ON `assignment_members` (`user_id`,`rule_id`);
--> statement-breakpoint
CREATE TABLE `assignment_path_claims` (
	`user_id` integer NOT NULL,
	`learning_path_id` integer NOT NULL,
	`rule_id` integer NOT NULL,
	`enrolled` integer NOT NULL,
	PRIMARY KEY(`user_id`, `learning_path_id`, `rule_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`learning_path_id`) REFERENCES `learning_paths`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`rule_id`) REFERENCES `assignment_rules`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `assignment_path_claims_rule` ON `assignment_path_claims` (`rule_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `assignment_path_claims_path` ON `assignment_path_claims` (`learning_path_id`);
--> statement-breakpoint
CREATE TABLE `assignment_queue` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`changes` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `assignment_rule_courses` (
	`rule_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	PRIMARY KEY(`rule_id`, `course_id`),
	FOREIGN KEY (`rule_id`) REFERENCES `assignment_rules`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `assignment_rule_courses_course` ON `assignment_rule_courses` (`course_id`);
--> statement-breakpoint
CREATE TABLE `assignment_rule_paths` (
	`rule_id` integer NOT NULL,
	`learning_path_id` integer NOT NULL,
	PRIMARY KEY(`rule_id`, `learning_path_id`),
	FOREIGN KEY (`rule_id`) REFERENCES `assignment_rules`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`learning_path_id`) REFERENCES `learning_paths`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `assignment_rule_paths_path` ON `assignment_rule_paths` (`learning_path_id`);
--> statement-breakpoint
CREATE TABLE `assignment_rules` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`active` integer NOT NULL,
	`audience` text NOT NULL,
	`due` text NOT NULL,
	`grace_days` integer DEFAULT 0 NOT NULL,
	`skip_weekends` integer DEFAULT false NOT NULL,
	`recurrence` text,
	`reminders` text NOT NULL,
	`on_leave` text NOT NULL,
	`group_id` integer,
	`portal_id` integer,
	`user_count` integer DEFAULT 0 NOT NULL,
	`pending_count` integer DEFAULT 0 NOT NULL,
	`next_run_at` integer DEFAULT 0 NOT NULL,
	`created_by` integer,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`portal_id`) REFERENCES `portals`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "assignment_rules_on_leave_check" CHECK(on_leave in ('keep', 'remove_if_not_started', 'remove'))
);
--> statement-breakpoint
CREATE INDEX `assignment_rules_name` ON `assignment_rules` ("name" collate nocase);
--> statement-breakpoint
CREATE INDEX `assignment_rules_created` ON `assignment_rules` (`created_at`);
--> statement-breakpoint
CREATE INDEX `assignment_rules_active` ON `assignment_rules` (`id`) WHERE "assignment_rules"."active";
--> statement-breakpoint
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
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "assignment_uploads_state_check" CHECK(state in ('new', 'used', 'expired'))
);
--> statement-breakpoint
CREATE INDEX `assignment_uploads_state` ON `assignment_uploads` (`state`,`created_at`);
--> statement-breakpoint
CREATE INDEX `assignment_uploads_user` ON `assignment_uploads` (`user_id`,`state`,`bytes`);
--> statement-breakpoint
CREATE TABLE `audit_logs` (
	`id` integer PRIMARY KEY NOT NULL,
	`performed_by` integer,
	`subject_id` integer,
	`effect_on` text NOT NULL,
	`details` text NOT NULL,
	`created_at` integer NOT NULL,
	`work` integer,
	`common_kind` integer,
	`stored_action` text,
	`stored_subject` text,
	`action` text GENERATED ALWAYS AS (case common_kind when 1 then 'login' when 2 then 'updated' when 3 then 'updated' else stored_action end) VIRTUAL NOT NULL,
	`subject` text GENERATED ALWAYS AS (case common_kind when 1 then 'user' when 2 then 'module progress' when 3 then 'submission' else stored_subject end) VIRTUAL NOT NULL,
	`performer_number` integer NOT NULL,
	`kind_number` integer,
	`sign_ins` integer DEFAULT 0 NOT NULL,
	`progress_updates` integer DEFAULT 0 NOT NULL,
	`evaluations` integer DEFAULT 0 NOT NULL,
	`others` integer GENERATED ALWAYS AS (case
        when subject in ('user', 'badge award') then subject_id is not performed_by
        when subject in ('group', 'portal') then 1
        when subject = 'announcement' then 0
        else coalesce(details ->> '$.userId', details ->> '$.user_id', performed_by) is not performed_by
          or coalesce(nullif(details -> '$.user_ids', '[]'), json_array(performed_by)) is not json_array(performed_by)
      end) VIRTUAL,
	CONSTRAINT "audit_logs_stored_action_check" CHECK(stored_action in ('login', 'created', 'updated', 'deleted')),
	CONSTRAINT "audit_logs_action_check" CHECK(action in ('login', 'created', 'updated', 'deleted'))
);
--> statement-breakpoint
CREATE INDEX `audit_logs_performer` ON `audit_logs` (`performed_by`);
--> statement-breakpoint
CREATE INDEX `audit_logs_kind` ON `audit_logs` (`subject`,`action`) WHERE "audit_logs"."kind_number" is not null;
--> statement-breakpoint
CREATE TABLE `audit_people` (
	`user_id` integer NOT NULL,
	`log_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `log_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `background_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`params` text NOT NULL,
	`caller_id` integer,
	`status` text DEFAULT 'processing' NOT NULL,
	`stage` integer DEFAULT 0 NOT NULL,
	`after` text,
	`done` integer DEFAULT 0 NOT NULL,
	`total` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`completed_at` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "background_jobs_status_check" CHECK(status in ('processing', 'completed'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `background_jobs_due` ON `background_jobs` (`due_at`) WHERE "background_jobs"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `background_jobs_completed` ON `background_jobs` (`completed_at`) WHERE "background_jobs"."completed_at" > 0;
--> statement-breakpoint
CREATE TABLE `badges` (
	`id` integer PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`badge_icon_url` text NOT NULL,
	`default_icon_url` text,
	`points` integer DEFAULT 0 NOT NULL,
	`organization_id` text,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `badges_title` ON `badges` ("title" collate nocase);
--> statement-breakpoint
CREATE TABLE `gamification_awards` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`badge_id` integer,
	`event_id` integer,
	`cause` text NOT NULL,
	`points` integer NOT NULL,
	`awarded_by` integer,
	`awarded_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`badge_id`) REFERENCES `badges`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `gamification_awards_cause` ON `gamification_awards` (`user_id`,`event_id`,`cause`);
--> statement-breakpoint
CREATE INDEX `gamification_awards_badge` ON `gamification_awards` (`badge_id`) WHERE "gamification_awards"."badge_id" is not null;
--> statement-breakpoint
CREATE TABLE `user_badges` (
	`user_id` integer NOT NULL,
	`badge_id` integer NOT NULL,
	`count` integer NOT NULL,
	`last_awarded_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `badge_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`badge_id`) REFERENCES `badges`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `user_badges_badge` ON `user_badges` (`badge_id`,`user_id`);
--> statement-breakpoint
CREATE TABLE `bulk_upload_chunks` (
	`upload_id` integer NOT NULL,
	`number` integer NOT NULL,
	`rows` text NOT NULL,
	`encrypted_rows` text,
	`errors` text NOT NULL,
	`results` text DEFAULT '[]' NOT NULL,
	PRIMARY KEY(`upload_id`, `number`),
	FOREIGN KEY (`upload_id`) REFERENCES `bulk_uploads`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `bulk_uploads` (
	`id` integer PRIMARY KEY NOT NULL,
	`client` text NOT NULL,
	`caller_id` integer,
	`caller_type` text NOT NULL,
	`name` text NOT NULL,
	`base_url` text NOT NULL,
	`group_id` integer,
	`membership_id` integer,
	`source_id` integer DEFAULT 2 NOT NULL,
	`mode` text DEFAULT 'create' NOT NULL,
	`external_id_source` text DEFAULT 'manual' NOT NULL,
	`course_ids` text NOT NULL,
	`class_ids` text DEFAULT '[]' NOT NULL,
	`skipped_courses` integer DEFAULT 0 NOT NULL,
	`skipped_classes` integer DEFAULT 0 NOT NULL,
	`rows` integer NOT NULL,
	`status` text NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`existing` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	CONSTRAINT "bulk_uploads_mode_check" CHECK(mode in ('create', 'update', 'upsert')),
	CONSTRAINT "bulk_uploads_status_check" CHECK(status in ('processing', 'completed'))
);
--> statement-breakpoint
CREATE INDEX `bulk_uploads_due` ON `bulk_uploads` (`due_at`) WHERE "bulk_uploads"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `bulk_uploads_age` ON `bulk_uploads` (`expires_at`) WHERE "bulk_uploads"."status" = 'completed';
--> statement-breakpoint
CREATE TABLE `calendar_cancellations` (
	`user_id` integer NOT NULL,
	`class_id` integer NOT NULL,
	`count` integer NOT NULL,
	`version` integer NOT NULL,
	`course_name` text NOT NULL,
	`time_zone` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`canceled_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `class_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `calendar_cancellations_canceled` ON `calendar_cancellations` (`canceled_at`);
--> statement-breakpoint
CREATE TABLE `calendar_subscriptions` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_subscriptions_token_hash_unique` ON `calendar_subscriptions` (`token_hash`);
--> statement-breakpoint
CREATE TABLE `cards` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`last4` text NOT NULL,
	`payment_gateway_name` text NOT NULL,
	`card_type` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `cards_user` ON `cards` (`user_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `cards_created` ON `cards` (`created_at`);
--> statement-breakpoint
CREATE INDEX `cards_last4` ON `cards` (`last4`);
--> statement-breakpoint
CREATE TABLE `carts` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`items` text NOT NULL,
	`total` integer NOT NULL,
	`currency` text NOT NULL,
	`reminded_at` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `carts_user` ON `carts` (`user_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `carts_created` ON `carts` (`created_at`);
--> statement-breakpoint
CREATE INDEX `carts_reminded` ON `carts` (`reminded_at`);
--> statement-breakpoint
CREATE TABLE `categories` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text,
	`type` text NOT NULL,
	`use_count` integer DEFAULT 0 NOT NULL,
	`created_by` integer,
	`updated_by` integer,
	`deleted_by` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`search_text` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "categories_type_check" CHECK(type in ('course', 'question', 'product', 'module', 'user'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_name_key` ON `categories` (`type`,`name_key`) WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX `categories_name` ON `categories` (`type`,"name" collate nocase) WHERE deleted_at is null;
--> statement-breakpoint
CREATE TABLE `user_categories` (
	`user_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `category_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `user_categories_category` ON `user_categories` (`category_id`,`user_id`);
--> statement-breakpoint
CREATE TABLE `certificate_template_keys` (
	`key` text NOT NULL,
	`template_id` integer NOT NULL,
	PRIMARY KEY(`key`, `template_id`),
	FOREIGN KEY (`template_id`) REFERENCES `certificate_templates`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `certificate_template_keys_template` ON `certificate_template_keys` (`template_id`);
--> statement-breakpoint
CREATE TABLE `certificate_template_versions` (
	`template_id` integer NOT NULL,
	`last_certificate_id` integer NOT NULL,
	`bg_url` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`fields` text NOT NULL,
	`qr_code` text,
	PRIMARY KEY(`template_id`, `last_certificate_id`),
	FOREIGN KEY (`template_id`) REFERENCES `certificate_templates`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `certificate_templates` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`bg_url` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`fields` text NOT NULL,
	`qr_code` text,
	`author_id` integer,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `certificate_templates_name` ON `certificate_templates` ("name" collate nocase);
--> statement-breakpoint
CREATE INDEX `certificate_templates_created` ON `certificate_templates` (`created_at`);
--> statement-breakpoint
CREATE INDEX `certificate_templates_author` ON `certificate_templates` (`author_id`);
--> statement-breakpoint
CREATE TABLE `certificates` (
	`id` integer PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`user_id` integer NOT NULL,
	`enrollment_id` integer,
	`class_enrollment_id` integer,
	`course_id` integer,
	`template_id` integer NOT NULL,
	`course_name` text NOT NULL,
	`instructor_name` text NOT NULL,
	`course_credit` real NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer DEFAULT 0 NOT NULL,
	`expiry_state` integer DEFAULT 0 NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`enrollment_id`) REFERENCES `enrollments`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`class_enrollment_id`) REFERENCES `class_enrollments`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`template_id`) REFERENCES `certificate_templates`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `certificates_code` ON `certificates` (`code`);
--> statement-breakpoint
CREATE INDEX `certificates_user` ON `certificates` (`user_id`,`issued_at`);
--> statement-breakpoint
CREATE INDEX `certificates_enrollment` ON `certificates` (`enrollment_id`);
--> statement-breakpoint
CREATE INDEX `certificates_class_enrollment` ON `certificates` (`class_enrollment_id`) WHERE "certificates"."class_enrollment_id" is not null;
--> statement-breakpoint
CREATE INDEX `certificates_course` ON `certificates` (`course_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `certificates_updated_order` ON `certificates` (`updated_at`);
--> statement-breakpoint
CREATE INDEX `certificates_template` ON `certificates` (`template_id`);
--> statement-breakpoint
CREATE INDEX `certificates_expiry` ON `certificates` (`expiry_state`,`expires_at`) WHERE "certificates"."expires_at" > 0 and "certificates"."expiry_state" < 2 and "certificates"."revoked_at" = 0;
--> statement-breakpoint
CREATE TABLE `class_counts` (
	`audience` text NOT NULL,
	`class_id` integer NOT NULL,
	`registered` integer NOT NULL,
	`attended` integer NOT NULL,
	`no_show` integer NOT NULL,
	`cancelled` integer NOT NULL,
	PRIMARY KEY(`audience`, `class_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `class_counts_class` ON `class_counts` (`class_id`);
--> statement-breakpoint
CREATE TABLE `class_enrollments` (
	`id` integer PRIMARY KEY NOT NULL,
	`class_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`status` text DEFAULT 'Registered' NOT NULL,
	`attendance` text,
	`group_id` integer,
	`enrolled_by` integer,
	`notes` text DEFAULT '' NOT NULL,
	`registered_at` integer NOT NULL,
	`last_accessed_at` integer DEFAULT 0 NOT NULL,
	`certificate_count` integer DEFAULT 0 NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	`first_name_key` text DEFAULT '' NOT NULL,
	`last_name_key` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`class_id`) REFERENCES `classes`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "class_enrollments_status_check" CHECK(status in ('Registered', 'Attended', 'No Show', 'Cancelled'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `class_enrollments_class_user` ON `class_enrollments` (`class_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `class_enrollments_class_registered` ON `class_enrollments` (`class_id`,`registered_at`);
--> statement-breakpoint
CREATE INDEX `class_enrollments_class_first_name` ON `class_enrollments` (`class_id`,`first_name_key`);
--> statement-breakpoint
CREATE INDEX `class_enrollments_class_last_name` ON `class_enrollments` (`class_id`,`last_name_key`);
--> statement-breakpoint
CREATE INDEX `class_enrollments_user` ON `class_enrollments` (`user_id`);
--> statement-breakpoint
CREATE INDEX `class_enrollments_status_registered` ON `class_enrollments` (`status`,`registered_at`);
--> statement-breakpoint
CREATE INDEX `class_enrollments_group` ON `class_enrollments` (`group_id`) WHERE "class_enrollments"."group_id" is not null;
--> statement-breakpoint
CREATE TABLE `class_materials` (
	`id` integer PRIMARY KEY NOT NULL,
	`class_id` integer,
	`position` integer DEFAULT 0 NOT NULL,
	`name` text NOT NULL,
	`extension` text NOT NULL,
	`mime_type` text NOT NULL,
	`size` integer NOT NULL,
	`key` text NOT NULL,
	`uploaded_by` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`class_id`) REFERENCES `classes`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `class_materials_key_unique` ON `class_materials` (`key`);
--> statement-breakpoint
CREATE INDEX `class_materials_class` ON `class_materials` (`class_id`,`position`);
--> statement-breakpoint
CREATE INDEX `class_materials_unused` ON `class_materials` (`created_at`) WHERE "class_materials"."class_id" is null;
--> statement-breakpoint
CREATE INDEX `class_materials_unused_by` ON `class_materials` (`uploaded_by`,`size`) WHERE "class_materials"."class_id" is null;
--> statement-breakpoint
CREATE TABLE `class_recordings` (
	`id` integer PRIMARY KEY NOT NULL,
	`class_id` integer NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`duration` integer DEFAULT 0 NOT NULL,
	`recorded_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`class_id`) REFERENCES `classes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `class_recordings_class` ON `class_recordings` (`class_id`,`recorded_at`);
--> statement-breakpoint
CREATE TABLE `class_sessions` (
	`id` integer PRIMARY KEY NOT NULL,
	`class_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`reminded_to` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`class_id`) REFERENCES `classes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `class_sessions_class` ON `class_sessions` (`class_id`,`start_at`);
--> statement-breakpoint
CREATE INDEX `class_sessions_course` ON `class_sessions` (`course_id`,`start_at`);
--> statement-breakpoint
CREATE INDEX `class_sessions_start` ON `class_sessions` (`start_at`);
--> statement-breakpoint
CREATE TABLE `classes` (
	`id` integer PRIMARY KEY NOT NULL,
	`course_id` integer NOT NULL,
	`type` text NOT NULL,
	`recurrence` text,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`disabled` integer NOT NULL,
	`allow_download` integer NOT NULL,
	`instructor_id` integer NOT NULL,
	`location_id` integer,
	`webinar_provider` text DEFAULT '' NOT NULL,
	`webinar_meeting_id` text DEFAULT '' NOT NULL,
	`webinar_host_pwd` text,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`session_count` integer NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`created_by` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`location_id`) REFERENCES `locations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "classes_type_check" CHECK(type in ('onetime', 'recurring'))
);
--> statement-breakpoint
CREATE INDEX `classes_start` ON `classes` (`start_at`);
--> statement-breakpoint
CREATE INDEX `classes_course_start` ON `classes` (`course_id`,`start_at`);
--> statement-breakpoint
CREATE INDEX `classes_updated_order` ON `classes` (`updated_at`);
--> statement-breakpoint
CREATE INDEX `classes_location` ON `classes` (`location_id`,`start_at`);
--> statement-breakpoint
CREATE INDEX `classes_instructor` ON `classes` (`instructor_id`,`start_at`);
--> statement-breakpoint
CREATE TABLE `user_consents` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`consent_id` text NOT NULL,
	`consent_at` integer NOT NULL,
	`country` text NOT NULL,
	`ip_address` text NOT NULL,
	`status` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "user_consents_status_check" CHECK(status in ('accepted', 'rejected'))
);
--> statement-breakpoint
CREATE INDEX `user_consents_user` ON `user_consents` (`user_id`,`consent_at`);
--> statement-breakpoint
CREATE INDEX `user_consents_at` ON `user_consents` (`consent_at`);
--> statement-breakpoint
CREATE INDEX `user_consents_status_at` ON `user_consents` (`status`,`consent_at`);
--> statement-breakpoint
CREATE TABLE `course_categories` (
	`course_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	PRIMARY KEY(`course_id`, `category_id`),
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `course_categories_category` ON `course_categories` (`category_id`,`course_id`);
--> statement-breakpoint
CREATE TABLE `course_modules` (
	`course_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`position` integer NOT NULL,
	`required` integer NOT NULL,
	`counts` integer NOT NULL,
	`is_locked` integer NOT NULL,
	`drip_days` integer NOT NULL,
	`opens_at` integer DEFAULT 0 NOT NULL,
	`min_time_spent` integer NOT NULL,
	PRIMARY KEY(`course_id`, `module_id`),
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `course_modules_order` ON `course_modules` (`course_id`,`position`);
--> statement-breakpoint
CREATE INDEX `course_modules_module` ON `course_modules` (`module_id`,`course_id`);
--> statement-breakpoint
CREATE TABLE `course_prerequisites` (
	`course_id` integer NOT NULL,
	`prerequisite_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`course_id`, `prerequisite_id`),
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`prerequisite_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `course_prerequisites_of` ON `course_prerequisites` (`prerequisite_id`,`course_id`);
--> statement-breakpoint
CREATE TABLE `courses` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`status` text DEFAULT 'draft' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`instructions` text DEFAULT '' NOT NULL,
	`featured_image_url` text,
	`author_id` integer,
	`certificate_template_id` integer,
	`estimated_minutes` integer DEFAULT 0 NOT NULL,
	`expires_after_days` integer DEFAULT 0 NOT NULL,
	`total_seats` integer DEFAULT 0 NOT NULL,
	`self_enroll` integer DEFAULT false NOT NULL,
	`enrollment_key` text,
	`enable_course_rating` integer DEFAULT false NOT NULL,
	`course_credit` real DEFAULT 0 NOT NULL,
	`module_count` integer DEFAULT 0 NOT NULL,
	`goal` integer DEFAULT 0 NOT NULL,
	`rating_sum` integer DEFAULT 0 NOT NULL,
	`rating_count` integer DEFAULT 0 NOT NULL,
	`description_text` text DEFAULT '' NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "courses_status_check" CHECK(status in ('draft', 'publish'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `courses_slug` ON `courses` (`slug`);
--> statement-breakpoint
CREATE INDEX `courses_name` ON `courses` ("name" collate nocase);
--> statement-breakpoint
CREATE INDEX `courses_status` ON `courses` (`status`);
--> statement-breakpoint
CREATE INDEX `courses_status_name` ON `courses` (`status`,"name" collate nocase);
--> statement-breakpoint
CREATE INDEX `courses_status_created` ON `courses` (`status`,`created_at`);
--> statement-breakpoint
CREATE INDEX `courses_created` ON `courses` (`created_at`);
--> statement-breakpoint
CREATE INDEX `courses_updated_order` ON `courses` (`updated_at`);
--> statement-breakpoint
CREATE INDEX `courses_author` ON `courses` (`author_id`);
--> statement-breakpoint
CREATE INDEX `courses_certificate_template` ON `courses` (`certificate_template_id`);
--> statement-breakpoint
CREATE TABLE `backfills` (
	`name` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`done_at` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `cron_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`ran_at` integer NOT NULL,
	`failed` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `custom_field_values` (
	`user_id` integer NOT NULL,
	`field_id` integer NOT NULL,
	`value` text NOT NULL,
	`searchable` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`user_id`, `field_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `custom_field_values_field` ON `custom_field_values` (`field_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `custom_field_values_searchable` ON `custom_field_values` (`field_id`,`value`) WHERE "custom_field_values"."searchable";
--> statement-breakpoint
CREATE TABLE `custom_fields` (
	`id` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`label` text NOT NULL,
	`user_meta_key` text NOT NULL,
	`default_value` text,
	`is_required` integer NOT NULL,
	`options` text NOT NULL,
	`on_registration_page` integer NOT NULL,
	`on_certificate` integer NOT NULL,
	`reports` text NOT NULL,
	`display_order` integer NOT NULL,
	`is_searchable` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "custom_fields_type_check" CHECK(type in ('text', 'textarea', 'date', 'radio', 'checkbox', 'dropdown'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_fields_key` ON `custom_fields` ("user_meta_key" collate nocase);
--> statement-breakpoint
CREATE TABLE `devices` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`generation` integer DEFAULT 1 NOT NULL,
	`refreshed_at` integer NOT NULL,
	`refresh_key` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `devices_user` ON `devices` (`user_id`);
--> statement-breakpoint
CREATE INDEX `devices_refreshed` ON `devices` (`refreshed_at`);
--> statement-breakpoint
CREATE TABLE `email_rules` (
	`portal_id` integer NOT NULL,
	`entry` text NOT NULL,
	`kind` text NOT NULL,
	PRIMARY KEY(`portal_id`, `entry`),
	CONSTRAINT "email_rules_kind_check" CHECK(kind in ('blocked', 'allowed'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `email_rules_kind` ON `email_rules` (`portal_id`,`kind`,`entry`);
--> statement-breakpoint
CREATE TABLE `activities` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`verb` text NOT NULL,
	`course_id` integer,
	`course_name` text DEFAULT '' NOT NULL,
	`actor_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "activities_verb_check" CHECK(verb in ('ENROLLED', 'STARTED', 'COMPLETED', 'RESET', 'UNENROLLED'))
);
--> statement-breakpoint
CREATE INDEX `activities_user` ON `activities` (`user_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `activities_course` ON `activities` (`course_id`);
--> statement-breakpoint
CREATE INDEX `activities_verb_created` ON `activities` (`verb`,`created_at`);
--> statement-breakpoint
CREATE TABLE `due_counts` (
	`audience` text PRIMARY KEY NOT NULL,
	`on_track` integer NOT NULL,
	`due_soon` integer NOT NULL,
	`overdue` integer NOT NULL,
	`completed_on_time` integer NOT NULL,
	`completed_late` integer NOT NULL,
	`exempt` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `due_date_changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`cycle` integer NOT NULL,
	`kind` text NOT NULL,
	`until` integer NOT NULL,
	`previous_due_at` integer NOT NULL,
	`reason` text NOT NULL,
	`created_by` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "due_date_changes_kind_check" CHECK(kind in ('exemption', 'extension'))
);
--> statement-breakpoint
CREATE INDEX `due_date_changes_user` ON `due_date_changes` (`user_id`,`course_id`);
--> statement-breakpoint
CREATE TABLE `enrollment_counts` (
	`audience` text NOT NULL,
	`course_id` integer NOT NULL,
	`not_started` integer NOT NULL,
	`in_progress` integer NOT NULL,
	`completed` integer NOT NULL,
	`on_track` integer DEFAULT 0 NOT NULL,
	`due_soon` integer DEFAULT 0 NOT NULL,
	`overdue` integer DEFAULT 0 NOT NULL,
	`completed_on_time` integer DEFAULT 0 NOT NULL,
	`completed_late` integer DEFAULT 0 NOT NULL,
	`exempt` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`audience`, `course_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `enrollment_cycles` (
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`cycle` integer NOT NULL,
	`course_name` text NOT NULL,
	`began_at` integer NOT NULL,
	`ended_at` integer NOT NULL,
	`status` text NOT NULL,
	`percent` integer NOT NULL,
	`points_awarded` integer NOT NULL,
	`points_possible` integer NOT NULL,
	`started_at` integer NOT NULL,
	`completed_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`overdue_at` integer NOT NULL,
	`due_status` text NOT NULL,
	`certificate_id` integer,
	PRIMARY KEY(`user_id`, `course_id`, `cycle`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "enrollment_cycles_status_check" CHECK(status in ('Not Started', 'In Progress', 'Completed')),
	CONSTRAINT "enrollment_cycles_due_status_check" CHECK(due_status in ('no_due_date', 'on_track', 'due_soon', 'overdue', 'completed', 'completed_late', 'exempt'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `enrollment_cycles_course` ON `enrollment_cycles` (`course_id`,`user_id`);
--> statement-breakpoint
CREATE TABLE `enrollments` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`status` text DEFAULT 'Not Started' NOT NULL,
	`percent` integer DEFAULT 0 NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`time_spent` integer DEFAULT 0 NOT NULL,
	`group_id` integer,
	`enrolled_by` integer,
	`registered_at` integer NOT NULL,
	`started_at` integer DEFAULT 0 NOT NULL,
	`completed_at` integer DEFAULT 0 NOT NULL,
	`expires_at` integer DEFAULT 0 NOT NULL,
	`last_accessed_at` integer DEFAULT 0 NOT NULL,
	`certificate_count` integer DEFAULT 0 NOT NULL,
	`points_awarded` integer DEFAULT 0 NOT NULL,
	`points_possible` integer DEFAULT 0 NOT NULL,
	`cycle` integer DEFAULT 1 NOT NULL,
	`due_at` integer DEFAULT 0 NOT NULL,
	`due_soon_at` integer DEFAULT 0 NOT NULL,
	`overdue_at` integer DEFAULT 0 NOT NULL,
	`due_status` text DEFAULT 'no_due_date' NOT NULL,
	`due_rule_id` integer,
	`due_check_at` integer DEFAULT 0 NOT NULL,
	`expired_at` integer DEFAULT 0 NOT NULL,
	`updated_at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL,
	`first_name_key` text DEFAULT '' NOT NULL,
	`last_name_key` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "enrollments_status_check" CHECK(status in ('Not Started', 'In Progress', 'Completed')),
	CONSTRAINT "enrollments_due_status_check" CHECK(due_status in ('no_due_date', 'on_track', 'due_soon', 'overdue', 'completed', 'completed_late', 'exempt'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enrollments_user_course` ON `enrollments` (`user_id`,`course_id`);
--> statement-breakpoint
CREATE INDEX `enrollments_course_status_registered` ON `enrollments` (`course_id`,`status`,`registered_at`);
--> statement-breakpoint
CREATE INDEX `enrollments_status_registered` ON `enrollments` (`status`,`registered_at`);
--> statement-breakpoint
CREATE INDEX `enrollments_course_first_name` ON `enrollments` (`course_id`,`first_name_key`);
--> statement-breakpoint
CREATE INDEX `enrollments_course_last_name` ON `enrollments` (`course_id`,`last_name_key`);
--> statement-breakpoint
CREATE INDEX `enrollments_updated_order` ON `enrollments` (`updated_at`);
--> statement-breakpoint
CREATE INDEX `enrollments_due_status` ON `enrollments` (`due_status`,`due_at`) WHERE due_status <> 'no_due_date';
--> statement-breakpoint
CREATE INDEX `enrollments_course_due` ON `enrollments` (`course_id`,`due_status`,`due_at`) WHERE due_status <> 'no_due_date';
--> statement-breakpoint
CREATE INDEX `enrollments_user_due` ON `enrollments` (`user_id`,`due_status`) WHERE due_status in ('due_soon', 'overdue');
--> statement-breakpoint
CREATE INDEX `enrollments_due_check` ON `enrollments` (`due_check_at`) WHERE "enrollments"."due_check_at" > 0;
--> statement-breakpoint
CREATE INDEX `enrollments_expiry` ON `enrollments` (`expires_at`) WHERE "enrollments"."expires_at" > 0 and "enrollments"."expired_at" = 0;
--> statement-breakpoint
CREATE INDEX `enrollments_group` ON `enrollments` (`group_id`,`course_id`) WHERE "enrollments"."group_id" is not null;
--> statement-breakpoint
CREATE TABLE `module_openings` (
	`enrollment_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`opens_at` integer NOT NULL,
	PRIMARY KEY(`enrollment_id`, `module_id`),
	FOREIGN KEY (`enrollment_id`) REFERENCES `enrollments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `module_openings_module` ON `module_openings` (`module_id`);
--> statement-breakpoint
CREATE TABLE `module_statuses` (
	`id` integer GENERATED ALWAYS AS ((enrollment_id * 4194304 + module_id)) VIRTUAL NOT NULL,
	`enrollment_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`status` text NOT NULL,
	`percent` integer DEFAULT 0 NOT NULL,
	`points_awarded` integer,
	`times_accessed` integer DEFAULT 0 NOT NULL,
	`time_spent` integer DEFAULT 0 NOT NULL,
	`started_at` integer DEFAULT 0 NOT NULL,
	`completed_at` integer DEFAULT 0 NOT NULL,
	`last_accessed_at` integer NOT NULL,
	PRIMARY KEY(`enrollment_id`, `module_id`),
	FOREIGN KEY (`enrollment_id`) REFERENCES `enrollments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "module_statuses_status_check" CHECK(status in ('Not Started', 'In Progress', 'Submitted', 'Completed'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `module_statuses_graded` ON `module_statuses` (`module_id`) WHERE "module_statuses"."points_awarded" is not null;
--> statement-breakpoint
CREATE TABLE `overdue_digests` (
	`supervisor_id` integer PRIMARY KEY NOT NULL,
	`send_at` integer NOT NULL,
	FOREIGN KEY (`supervisor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `overdue_digests_send` ON `overdue_digests` (`send_at`);
--> statement-breakpoint
CREATE TABLE `reminders` (
	`enrollment_id` integer NOT NULL,
	`cycle` integer NOT NULL,
	`day` integer NOT NULL,
	`sent_at` integer NOT NULL,
	PRIMARY KEY(`enrollment_id`, `cycle`, `day`),
	FOREIGN KEY (`enrollment_id`) REFERENCES `enrollments`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `erasures` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`caller_id` integer,
	`reason` text NOT NULL,
	`status` text DEFAULT 'processing' NOT NULL,
	`subject` text,
	`stage` integer DEFAULT 0 NOT NULL,
	`after` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`completed_at` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "erasures_reason_check" CHECK(reason in ('requested', 'consent_withdrawn', 'objection', 'no_longer_needed', 'unlawful', 'legal_obligation')),
	CONSTRAINT "erasures_status_check" CHECK(status in ('processing', 'completed'))
);
--> statement-breakpoint
CREATE INDEX `erasures_due` ON `erasures` (`due_at`) WHERE "erasures"."due_at" is not null;
--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`object_id` integer NOT NULL,
	`user_id` integer,
	`course_id` integer,
	`group_ids` text,
	`previous` text,
	`previous_percent` integer
);
--> statement-breakpoint
CREATE TABLE `restores` (
	`restored_at` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `export_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`caller_id` integer NOT NULL,
	`caller_type` text NOT NULL,
	`filter` text NOT NULL,
	`status` text DEFAULT 'processing' NOT NULL,
	`progress` integer DEFAULT 0 NOT NULL,
	`message` text NOT NULL,
	`filename` text NOT NULL,
	`object_key` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`upload` text,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	CONSTRAINT "export_jobs_status_check" CHECK(status in ('processing', 'completed', 'cancelled', 'failed', 'expired'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `export_jobs_running` ON `export_jobs` (`caller_id`,`kind`,`filter`) WHERE "export_jobs"."status" = 'processing';
--> statement-breakpoint
CREATE INDEX `export_jobs_stored` ON `export_jobs` (`caller_id`,`created_at`) WHERE "export_jobs"."status" = 'completed';
--> statement-breakpoint
CREATE INDEX `export_jobs_due` ON `export_jobs` (`due_at`) WHERE "export_jobs"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `export_jobs_age` ON `export_jobs` (`expires_at`) WHERE "export_jobs"."status" <> 'expired';
--> statement-breakpoint
CREATE INDEX `export_jobs_expired` ON `export_jobs` (`expires_at`) WHERE "export_jobs"."status" = 'expired';
--> statement-breakpoint
CREATE TABLE `external_ids` (
	`object` text NOT NULL,
	`source` text NOT NULL,
	`external_id` text NOT NULL,
	`object_id` integer NOT NULL,
	PRIMARY KEY(`object`, `source`, `external_id`),
	CONSTRAINT "external_ids_object_check" CHECK(object in ('user', 'course', 'group', 'class'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `external_ids_object` ON `external_ids` (`object`,`object_id`,`source`);
--> statement-breakpoint
CREATE TABLE `gamification_events` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`target_id` integer DEFAULT 0 NOT NULL,
	`badge_id` integer,
	`points` integer DEFAULT 0 NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`badge_id`) REFERENCES `badges`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "gamification_events_type_check" CHECK(type in ('course_completed', 'learning_path_completed', 'quiz_passed', 'assignment_accepted', 'class_attended', 'login'))
);
--> statement-breakpoint
CREATE INDEX `gamification_events_name` ON `gamification_events` ("name" collate nocase);
--> statement-breakpoint
CREATE INDEX `gamification_events_type` ON `gamification_events` (`type`,`target_id`);
--> statement-breakpoint
CREATE INDEX `gamification_events_badge` ON `gamification_events` (`badge_id`);
--> statement-breakpoint
CREATE TABLE `group_admins` (
	`group_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`group_id`, `user_id`),
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `group_admins_user` ON `group_admins` (`user_id`,`group_id`);
--> statement-breakpoint
CREATE TABLE `group_course_seats` (
	`group_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`total_seats` integer NOT NULL,
	`used_seats` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`group_id`, `course_id`),
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `group_course_seats_course` ON `group_course_seats` (`course_id`,`group_id`);
--> statement-breakpoint
CREATE TABLE `group_members` (
	`group_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`group_id`, `user_id`),
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `group_members_user` ON `group_members` (`user_id`,`group_id`);
--> statement-breakpoint
CREATE TABLE `groups` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL
);
--> statement-breakpoint
CREATE INDEX `groups_name` ON `groups` ("name" collate nocase);
--> statement-breakpoint
CREATE TABLE `supervisor_scope` (
	`supervisor_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`link_count` integer NOT NULL,
	PRIMARY KEY(`supervisor_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `supervisor_scope_user` ON `supervisor_scope` (`user_id`,`supervisor_id`);
--> statement-breakpoint
CREATE TABLE `leaderboard_refreshes` (
	`id` integer PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`refreshed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `score_counts` (
	`level` integer NOT NULL,
	`bucket` integer NOT NULL,
	`users` integer NOT NULL,
	PRIMARY KEY(`level`, `bucket`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `user_scores` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`points` integer NOT NULL,
	`login_points` integer DEFAULT 0 NOT NULL,
	`badge_count` integer NOT NULL,
	`ranked` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `user_scores_board` ON `user_scores` (`ranked`,"points" desc);
--> statement-breakpoint
CREATE TABLE `learning_path_courses` (
	`learning_path_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`learning_path_id`, `course_id`),
	FOREIGN KEY (`learning_path_id`) REFERENCES `learning_paths`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `learning_path_courses_course` ON `learning_path_courses` (`course_id`,`learning_path_id`);
--> statement-breakpoint
CREATE TABLE `learning_path_enrollments` (
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
	FOREIGN KEY (`learning_path_id`) REFERENCES `learning_paths`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "learning_path_enrollments_status_check" CHECK(status in ('Not Started', 'In Progress', 'Completed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `learning_path_enrollments_user` ON `learning_path_enrollments` (`user_id`,`learning_path_id`);
--> statement-breakpoint
CREATE INDEX `learning_path_enrollments_path` ON `learning_path_enrollments` (`learning_path_id`);
--> statement-breakpoint
CREATE TABLE `learning_paths` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`type` text DEFAULT 'public' NOT NULL,
	`featured_image_url` text,
	`course_count` integer DEFAULT 0 NOT NULL,
	`estimated_minutes` integer DEFAULT 0 NOT NULL,
	`rating_sum` integer DEFAULT 0 NOT NULL,
	`rating_count` integer DEFAULT 0 NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "learning_paths_type_check" CHECK(type in ('public', 'private'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `learning_paths_slug` ON `learning_paths` (`slug`);
--> statement-breakpoint
CREATE INDEX `learning_paths_name` ON `learning_paths` ("name" collate nocase);
--> statement-breakpoint
CREATE INDEX `learning_paths_type` ON `learning_paths` (`type`);
--> statement-breakpoint
CREATE INDEX `learning_paths_created` ON `learning_paths` (`created_at`);
--> statement-breakpoint
CREATE TABLE `locations` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`address_line1` text DEFAULT '' NOT NULL,
	`address_line2` text DEFAULT '' NOT NULL,
	`city` text DEFAULT '' NOT NULL,
	`state` text DEFAULT '' NOT NULL,
	`zipcode` text DEFAULT '' NOT NULL,
	`country` text DEFAULT '' NOT NULL,
	`capacity` integer DEFAULT 0 NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `locations_name` ON `locations` ("name" collate nocase);
--> statement-breakpoint
CREATE TABLE `media` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`extension` text NOT NULL,
	`mime_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`key` text NOT NULL,
	`alt_text` text DEFAULT '' NOT NULL,
	`transcript` text DEFAULT '' NOT NULL,
	`uploaded_by` integer,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "media_kind_check" CHECK(kind in ('image', 'pdf', 'audio', 'video'))
);
--> statement-breakpoint
CREATE INDEX `media_created` ON `media` (`created_at`);
--> statement-breakpoint
CREATE INDEX `media_kind_created` ON `media` (`kind`,`created_at`);
--> statement-breakpoint
CREATE INDEX `media_name` ON `media` ("name" collate nocase);
--> statement-breakpoint
CREATE TABLE `media_captions` (
	`media_id` integer NOT NULL,
	`language` text NOT NULL,
	`label` text NOT NULL,
	`content` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`media_id`, `language`),
	FOREIGN KEY (`media_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `media_uploads` (
	`id` integer PRIMARY KEY NOT NULL,
	`uploaded_by` integer,
	`name` text NOT NULL,
	`metadata` text NOT NULL,
	`bytes` integer NOT NULL,
	`offset` integer DEFAULT 0 NOT NULL,
	`key` text NOT NULL,
	`multipart_id` text,
	`parts` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `media_uploads_uploader` ON `media_uploads` (`uploaded_by`);
--> statement-breakpoint
CREATE INDEX `media_uploads_expires` ON `media_uploads` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `media_uses` (
	`source` text NOT NULL,
	`source_id` integer NOT NULL,
	`media_id` integer NOT NULL,
	PRIMARY KEY(`source`, `source_id`, `media_id`),
	CONSTRAINT "media_uses_source_check" CHECK(source in ('module', 'course', 'learning_path', 'announcement', 'quiz_question', 'quiz_version', 'bank_question', 'badge', 'settings', 'portal'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `media_uses_media` ON `media_uses` (`media_id`,`source`);
--> statement-breakpoint
CREATE TABLE `membership_courses` (
	`membership_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	PRIMARY KEY(`membership_id`, `course_id`),
	FOREIGN KEY (`membership_id`) REFERENCES `memberships`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `membership_courses_course` ON `membership_courses` (`course_id`,`membership_id`);
--> statement-breakpoint
CREATE TABLE `memberships` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`expires_after_days` integer DEFAULT 0 NOT NULL,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memberships_name` ON `memberships` ("name" collate nocase);
--> statement-breakpoint
CREATE TABLE `module_categories` (
	`module_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	PRIMARY KEY(`module_id`, `category_id`),
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `module_categories_category` ON `module_categories` (`category_id`,`module_id`);
