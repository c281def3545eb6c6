CREATE TABLE `awards` (
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
CREATE UNIQUE INDEX `awards_cause` ON `awards` (`user_id`,`event_id`,`cause`);--> statement-breakpoint
CREATE INDEX `awards_badge` ON `awards` (`badge_id`);--> statement-breakpoint
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
CREATE INDEX `badges_title` ON `badges` ("title" collate nocase);--> statement-breakpoint
CREATE INDEX `badges_icon` ON `badges` (`badge_icon_url`);--> statement-breakpoint
CREATE INDEX `badges_points` ON `badges` (`points`);--> statement-breakpoint
CREATE TABLE `user_badges` (
	`user_id` integer NOT NULL,
	`badge_id` integer NOT NULL,
	`count` integer NOT NULL,
	`last_awarded_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `badge_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`badge_id`) REFERENCES `badges`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `user_badges_badge` ON `user_badges` (`badge_id`,`user_id`);--> statement-breakpoint
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
	FOREIGN KEY (`badge_id`) REFERENCES `badges`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `gamification_events_name` ON `gamification_events` ("name" collate nocase);--> statement-breakpoint
CREATE INDEX `gamification_events_type` ON `gamification_events` (`type`,`target_id`);--> statement-breakpoint
CREATE INDEX `gamification_events_type_order` ON `gamification_events` (`type`);--> statement-breakpoint
CREATE INDEX `gamification_events_target` ON `gamification_events` (`target_id`);--> statement-breakpoint
CREATE INDEX `gamification_events_points` ON `gamification_events` (`points`);--> statement-breakpoint
CREATE INDEX `gamification_events_active` ON `gamification_events` (`active`);--> statement-breakpoint
CREATE INDEX `gamification_events_created` ON `gamification_events` (`created_at`);--> statement-breakpoint
CREATE INDEX `gamification_events_badge` ON `gamification_events` (`badge_id`);--> statement-breakpoint
CREATE TABLE `score_tallies` (
	`level` integer NOT NULL,
	`bucket` integer NOT NULL,
	`users` integer NOT NULL,
	PRIMARY KEY(`level`, `bucket`)
);
--> statement-breakpoint
CREATE TABLE `user_scores` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`points` integer NOT NULL,
	`badge_count` integer NOT NULL,
	`ranked` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `user_scores_board` ON `user_scores` (`ranked`,"points" desc);--> statement-breakpoint
CREATE TABLE `module_categories` (
	`module_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	PRIMARY KEY(`module_id`, `category_id`),
	FOREIGN KEY (`module_id`) REFERENCES `modules`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `module_categories_category` ON `module_categories` (`category_id`,`module_id`);--> statement-breakpoint
DROP INDEX `categories_type_name`;--> statement-breakpoint
ALTER TABLE `categories` ADD `name_key` text;--> statement-breakpoint
ALTER TABLE `categories` ADD `use_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `categories` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `categories` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `categories_name_key` ON `categories` (`type`,`name_key`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `categories_type` ON `categories` (`type`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `categories_name` ON `categories` (`type`,"name" collate nocase) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `categories_created` ON `categories` (`type`,`created_at`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `categories_uses` ON `categories` (`type`,`use_count`) WHERE deleted_at is null;--> statement-breakpoint
ALTER TABLE `quiz_questions` ADD `category_id` integer REFERENCES categories(id);--> statement-breakpoint
CREATE INDEX `quiz_questions_category` ON `quiz_questions` (`category_id`);