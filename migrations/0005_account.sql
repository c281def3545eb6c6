CREATE TABLE `mailings` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`letter` text NOT NULL,
	`portal_id` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mailings_age` ON `mailings` (`created_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY NOT NULL,
	`mailing_id` text NOT NULL,
	`user_id` integer,
	`recipient` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`secret` text,
	`dedupe` text,
	`status` text DEFAULT 'queued' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`not_before` integer NOT NULL,
	`dispatched_at` integer NOT NULL,
	`claim` text,
	`claimed_at` integer DEFAULT 0 NOT NULL,
	`sent_at` integer DEFAULT 0 NOT NULL,
	`error` text,
	FOREIGN KEY (`mailing_id`) REFERENCES `mailings`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_dedupe` ON `outbox` (`dedupe`);--> statement-breakpoint
CREATE INDEX `outbox_mailing` ON `outbox` (`mailing_id`);--> statement-breakpoint
CREATE INDEX `outbox_queued` ON `outbox` (`mailing_id`,`not_before`) WHERE "outbox"."status" = 'queued';--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (`dispatched_at`) WHERE "outbox"."status" = 'queued';--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_claim` ON `outbox` (`claim`) WHERE "outbox"."claim" is not null;--> statement-breakpoint
CREATE INDEX `outbox_sending` ON `outbox` (`claimed_at`) WHERE "outbox"."status" = 'sending';--> statement-breakpoint
CREATE TABLE `password_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `password_links_user` ON `password_links` (`user_id`);--> statement-breakpoint
CREATE INDEX `password_links_expiry` ON `password_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `temporary_passwords` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `temporary_passwords_expiry` ON `temporary_passwords` (`expires_at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` integer NOT NULL,
	`code_hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `two_factor` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`active` integer DEFAULT false NOT NULL,
	`last_step` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
