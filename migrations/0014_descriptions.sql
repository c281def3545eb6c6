ALTER TABLE `courses` ADD `description_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `modules` ADD `description_text` text DEFAULT '' NOT NULL;