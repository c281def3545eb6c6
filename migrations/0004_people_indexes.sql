CREATE INDEX `user_consents_status_at` ON `user_consents` (`status`,`consent_at`);--> statement-breakpoint
CREATE INDEX `user_consents_user_id` ON `user_consents` (`user_id`);--> statement-breakpoint
CREATE INDEX `orders_status_created` ON `orders` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `reviews_user_id` ON `reviews` (`user_id`);--> statement-breakpoint
CREATE INDEX `reviews_course` ON `reviews` (`course_id`);--> statement-breakpoint
CREATE INDEX `reviews_course_created` ON `reviews` (`course_id`,`created_at`);