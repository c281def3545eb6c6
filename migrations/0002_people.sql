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
	FOREIGN KEY (`billing_address_id`) REFERENCES `addresses`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `addresses_user` ON `addresses` (`user_id`,`type`);--> statement-breakpoint
CREATE UNIQUE INDEX `addresses_default` ON `addresses` (`user_id`,`type`) WHERE "addresses"."is_default" = 1;--> statement-breakpoint
CREATE INDEX `addresses_billing` ON `addresses` (`billing_address_id`);--> statement-breakpoint
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
CREATE INDEX `cards_user` ON `cards` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `cards_created` ON `cards` (`created_at`);--> statement-breakpoint
CREATE INDEX `cards_last4` ON `cards` (`last4`);--> statement-breakpoint
CREATE INDEX `cards_gateway` ON `cards` (`payment_gateway_name`);--> statement-breakpoint
CREATE INDEX `cards_type` ON `cards` (`card_type`);--> statement-breakpoint
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
CREATE INDEX `carts_user` ON `carts` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `carts_created` ON `carts` (`created_at`);--> statement-breakpoint
CREATE INDEX `carts_total` ON `carts` (`total`);--> statement-breakpoint
CREATE INDEX `carts_currency` ON `carts` (`currency`);--> statement-breakpoint
CREATE INDEX `carts_reminded` ON `carts` (`reminded_at`);--> statement-breakpoint
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
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `user_consents_user` ON `user_consents` (`user_id`,`consent_at`);--> statement-breakpoint
CREATE INDEX `user_consents_at` ON `user_consents` (`consent_at`);--> statement-breakpoint
CREATE INDEX `user_consents_consent` ON `user_consents` (`consent_id`);--> statement-breakpoint
CREATE INDEX `user_consents_country` ON `user_consents` (`country`);--> statement-breakpoint
CREATE INDEX `user_consents_address` ON `user_consents` (`ip_address`);--> statement-breakpoint
CREATE INDEX `user_consents_status` ON `user_consents` (`status`);--> statement-breakpoint
CREATE INDEX `user_consents_created` ON `user_consents` (`created_at`);--> statement-breakpoint
CREATE TABLE `orders` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer,
	`items` text NOT NULL,
	`total` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `orders_user` ON `orders` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_created` ON `orders` (`created_at`);--> statement-breakpoint
CREATE INDEX `orders_status` ON `orders` (`status`);--> statement-breakpoint
CREATE INDEX `orders_total` ON `orders` (`total`);--> statement-breakpoint
CREATE INDEX `orders_currency` ON `orders` (`currency`);--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`rating` integer NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reviews_user_course` ON `reviews` (`course_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `reviews_user` ON `reviews` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `reviews_created` ON `reviews` (`created_at`);--> statement-breakpoint
CREATE INDEX `reviews_rating` ON `reviews` (`rating`);--> statement-breakpoint
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
	FOREIGN KEY (`card_id`) REFERENCES `cards`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `subscriptions_user` ON `subscriptions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_card` ON `subscriptions` (`card_id`,`status`);--> statement-breakpoint
CREATE INDEX `subscriptions_status` ON `subscriptions` (`status`,`end_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_created` ON `subscriptions` (`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_name` ON `subscriptions` (`subscription_name`);--> statement-breakpoint
CREATE INDEX `subscriptions_total` ON `subscriptions` (`total`);--> statement-breakpoint
CREATE INDEX `subscriptions_start` ON `subscriptions` (`start_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_end` ON `subscriptions` (`end_at`);--> statement-breakpoint
ALTER TABLE `user_sources` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `user_sources_name` ON `user_sources` ("name" collate nocase);