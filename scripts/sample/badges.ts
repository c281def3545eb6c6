import type { Academy } from "./academy.ts"

/**
 * Badges and gamification events of every kind. Loaded before the learning records, because events award only later
 * activity.
 */
export async function badges(academy: Academy) {
  const badge = (icon: string, title: string, points: number) =>
    academy.create("/api/badge/create", `badge-${icon}`, {
      title,
      points,
      badgeIconUrl: `/assets/badge-${icon}.svg`,
      defaultIconUrl: `/assets/badge-${icon}.svg`,
      organizationId: 1,
    })
  const event = (name: string, gains: object) =>
    academy.create("/api/gamification-event/create", `event-${name.toLowerCase().replaceAll(" ", "-")}`, {
      name,
      ...gains,
    })
  const finisher = await badge("trophy", "Finisher", 50)
  const quizzer = await badge("lightning", "Quick mind", 10)
  const helper = await badge("heart", "Helping hand", 25)
  const pioneer = await badge("flame", "Pioneer", 5)
  await badge("shield", "Safety first", 20)
  await event("Course completed", { type: "course_completed", points: 100, badgeId: finisher })
  await event("Learning path completed", { type: "learning_path_completed", points: 150 })
  await event("Quiz passed", { type: "quiz_passed", points: 10, badgeId: quizzer })
  await event("Assignment accepted", { type: "assignment_accepted", points: 30 })
  await event("Class attended", { type: "class_attended", points: 20 })
  await event("Daily visit", { type: "login", points: 2 })

  const learner = academy.userId("learner@example.com")
  const give = (id: number, userIds: number[]) =>
    academy.once("/api/badge/award", `award-${id}`, { id, user_ids: userIds })
  await give(helper, [learner, ...academy.learners().slice(4, 7)])
  await give(pioneer, [learner, ...academy.learners().slice(0, 10)])
}
