CREATE TABLE `bulk_upload_chunks` (
	`upload_id` integer NOT NULL,
	`number` integer NOT NULL,
	`rows` text NOT NULL,
	`sealed` text,
	`errors` text NOT NULL,
	PRIMARY KEY(`upload_id`, `number`),
	FOREIGN KEY (`upload_id`) REFERENCES `bulk_uploads`(`id`) ON UPDATE no action ON DELETE cascade
);
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
	`course_ids` text NOT NULL,
	`rows` integer NOT NULL,
	`status` text NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`existing` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `bulk_uploads_due` ON `bulk_uploads` (`due_at`) WHERE "bulk_uploads"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `bulk_uploads_age` ON `bulk_uploads` (`expires_at`) WHERE "bulk_uploads"."status" = 'completed';