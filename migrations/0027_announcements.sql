CREATE TABLE `announcement_courses` (
	`announcement_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`shown_until` integer NOT NULL,
	PRIMARY KEY(`announcement_id`, `course_id`),
	FOREIGN KEY (`announcement_id`) REFERENCES `announcements`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `announcement_courses_course` ON `announcement_courses` (`course_id`,`shown_until`,`announcement_id`);--> statement-breakpoint
CREATE TABLE `announcement_portals` (
	`announcement_id` integer NOT NULL,
	`portal_id` integer NOT NULL,
	`shown_until` integer NOT NULL,
	PRIMARY KEY(`announcement_id`, `portal_id`),
	FOREIGN KEY (`announcement_id`) REFERENCES `announcements`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`portal_id`) REFERENCES `portals`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `announcement_portals_portal` ON `announcement_portals` (`portal_id`,`shown_until`,`announcement_id`);--> statement-breakpoint
CREATE TABLE `announcement_users` (
	`announcement_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`shown_until` integer NOT NULL,
	PRIMARY KEY(`announcement_id`, `user_id`),
	FOREIGN KEY (`announcement_id`) REFERENCES `announcements`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `announcement_users_user` ON `announcement_users` (`user_id`,`shown_until`,`announcement_id`);--> statement-breakpoint
CREATE TABLE `announcements` (
	`id` integer PRIMARY KEY NOT NULL,
	`heading` text NOT NULL,
	`content` text NOT NULL,
	`sending_rules` text NOT NULL,
	`narrowed` integer NOT NULL,
	`standing` text NOT NULL,
	`expires_at` integer DEFAULT 0 NOT NULL,
	`user_count` integer DEFAULT 0 NOT NULL,
	`author_id` integer,
	`search_text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `announcements_standing` ON `announcements` (`standing`);--> statement-breakpoint
CREATE INDEX `announcements_standing_heading` ON `announcements` (`standing`,"heading" collate nocase);--> statement-breakpoint
CREATE INDEX `announcements_standing_created` ON `announcements` (`standing`,`created_at`);--> statement-breakpoint
CREATE INDEX `announcements_standing_rules` ON `announcements` (`standing`,`sending_rules`);--> statement-breakpoint
CREATE INDEX `announcements_standing_expires` ON `announcements` (`standing`,`expires_at`);--> statement-breakpoint
CREATE INDEX `announcements_author` ON `announcements` (`author_id`);