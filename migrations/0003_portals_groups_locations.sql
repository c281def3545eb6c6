CREATE TABLE `email_rules` (
	`portal_id` integer NOT NULL,
	`entry` text NOT NULL,
	`kind` text NOT NULL,
	PRIMARY KEY(`portal_id`, `entry`)
);
--> statement-breakpoint
CREATE INDEX `email_rules_kind` ON `email_rules` (`portal_id`,`kind`,`entry`);--> statement-breakpoint
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
CREATE INDEX `locations_name` ON `locations` ("name" collate nocase);--> statement-breakpoint
CREATE INDEX `locations_address1` ON `locations` ("address_line1" collate nocase);--> statement-breakpoint
CREATE INDEX `locations_address2` ON `locations` ("address_line2" collate nocase);--> statement-breakpoint
CREATE INDEX `locations_state` ON `locations` ("state" collate nocase);--> statement-breakpoint
CREATE INDEX `locations_zipcode` ON `locations` ("zipcode" collate nocase);--> statement-breakpoint
CREATE INDEX `locations_city` ON `locations` ("city" collate nocase);--> statement-breakpoint
CREATE INDEX `locations_country` ON `locations` ("country" collate nocase);--> statement-breakpoint
CREATE INDEX `locations_capacity` ON `locations` (`capacity`);--> statement-breakpoint
CREATE INDEX `locations_created` ON `locations` (`created_at`);--> statement-breakpoint
DROP INDEX `portals_name`;--> statement-breakpoint
ALTER TABLE `portals` ADD `referral_code` text NOT NULL;--> statement-breakpoint
ALTER TABLE `portals` ADD `user_type` text NOT NULL;--> statement-breakpoint
ALTER TABLE `portals` ADD `total_seat` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `portals` ADD `subscription_id` integer;--> statement-breakpoint
ALTER TABLE `portals` ADD `parent_portal_id` integer REFERENCES portals(id);--> statement-breakpoint
ALTER TABLE `portals` ADD `portal_type` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `portals` ADD `status` text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE `portals` ADD `expires_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `portals` ADD `expiry_message` text;--> statement-breakpoint
ALTER TABLE `portals` ADD `logo_url` text;--> statement-breakpoint
ALTER TABLE `portals` ADD `primary_color` text;--> statement-breakpoint
ALTER TABLE `portals` ADD `secondary_color` text;--> statement-breakpoint
ALTER TABLE `portals` ADD `sender_name` text;--> statement-breakpoint
ALTER TABLE `portals` ADD `reply_to` text;--> statement-breakpoint
ALTER TABLE `portals` ADD `search_text` text NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `portals_referral_code` ON `portals` ("referral_code" collate nocase);--> statement-breakpoint
CREATE INDEX `portals_parent` ON `portals` (`parent_portal_id`);--> statement-breakpoint
CREATE INDEX `portals_type` ON `portals` (`portal_type`);--> statement-breakpoint
CREATE INDEX `portals_status` ON `portals` (`status`);--> statement-breakpoint
CREATE INDEX `portals_seats` ON `portals` (`total_seat`);--> statement-breakpoint
CREATE INDEX `portals_expiry` ON `portals` (`expires_at`);--> statement-breakpoint
CREATE INDEX `portals_created` ON `portals` (`created_at`);--> statement-breakpoint
CREATE INDEX `portals_name` ON `portals` ("name" collate nocase);--> statement-breakpoint
ALTER TABLE `groups` ADD `search_text` text NOT NULL;--> statement-breakpoint
CREATE INDEX `groups_name` ON `groups` ("name" collate nocase);--> statement-breakpoint
CREATE INDEX `groups_created` ON `groups` (`created_at`);