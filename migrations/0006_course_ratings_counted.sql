ALTER TABLE `courses` DROP COLUMN `rating_sum`;--> statement-breakpoint
ALTER TABLE `courses` DROP COLUMN `rating_count`;