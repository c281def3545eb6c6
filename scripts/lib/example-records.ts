// An example of each record that has the usual operations: the bodies that create and change it.
// test/matrix/mutations.ts sends them to a large academy, scripts/openapi/calls.ts to the sample academy.

/** The records that the examples refer to. */
export interface References {
  userId: number
  courseId: number
  badgeId: number
}

export interface ExampleRecord {
  /** The record's names in operation IDs. */
  one: string
  many: string
  create: object
  change: object
  /** What the body of a deletion has besides the ids. */
  remove?: object
}

export const NEW_PASSWORD = "seven-green-lanterns"

/** Example records by their name in paths: `/api/<name>/create`. */
export function exampleRecords({ userId, courseId, badgeId }: References) {
  const items = [{ type: "course", id: courseId, name: "Algebra", quantity: 1, price: 49.9 }]
  return {
    "api-key": {
      one: "ApiKey",
      many: "ApiKeys",
      create: { name: "Nightly report", role: "staff", access: "read" },
      change: { name: "Weekly report" },
    },
    "assignment-rule": {
      one: "AssignmentRule",
      many: "AssignmentRules",
      create: {
        name: "Fire safety",
        audience: { role: ["general"] },
        courseIds: [courseId],
        due: { type: "days", days: 30, from: "assignment" },
      },
      change: { recurrence: { type: "months", months: 12 } },
      remove: { enrollments: "keep" },
    },
    "report-schedule": {
      one: "ReportSchedule",
      many: "ReportSchedules",
      create: { name: "Overdue training", report: "overdue", interval: "weekly", day: 1, hour: 7 },
      change: { interval: "monthly", day: 31 },
    },
    announcement: {
      one: "Announcement",
      many: "Announcements",
      create: {
        heading: "The yard is closed on Friday",
        content: "<p>Classes are held in the library.</p>",
        sending_rules: "specific_users",
        user_ids: [userId],
      },
      change: { heading: "The yard is closed on Thursday" },
    },
    badge: {
      one: "Badge",
      many: "Badges",
      create: { title: "First shift", badgeIconUrl: "/assets/badge-star.svg", points: 20 },
      change: { title: "First shift", badgeIconUrl: "/assets/badge-star.svg", points: 25 },
    },
    card: {
      one: "Card",
      many: "Cards",
      create: { userId, last4: "4242", payment_gateway_name: "Stripe", card_type: "Visa" },
      change: { card_type: "Mastercard" },
    },
    cart: { one: "Cart", many: "Carts", create: { userId, items, currency: "EUR" }, change: { total: 39.9 } },
    category: {
      one: "Category",
      many: "Categories",
      create: { category_name: "Languages", categoryType: "course" },
      change: { category_name: "Modern languages" },
    },
    "gamification-event": {
      one: "GamificationEvent",
      many: "GamificationEvents",
      create: { name: "A course completed", type: "course_completed", badgeId, points: 10 },
      change: { points: 15 },
    },
    group: {
      one: "Group",
      many: "Groups",
      create: { name: "Morning class", user_ids: [userId], course_seats: [{ course_id: courseId, total_seats: 12 }] },
      change: { name: "Early class" },
    },
    learningpath: {
      one: "LearningPath",
      many: "LearningPaths",
      create: { name: "Yard work", course_ids: [courseId] },
      change: { type: "public" },
    },
    "question-pool": {
      one: "QuestionPool",
      many: "QuestionPools",
      create: { name: "Geometry" },
      change: { description: "Shapes and angles" },
    },
    question: {
      one: "BankQuestion",
      many: "BankQuestions",
      create: { poolId: 1, text: "How many sides has a hexagon?", type: "numeric", numeric: { value: 6 } },
      change: { text: "How many sides does a hexagon have?", type: "numeric", numeric: { value: 6 }, tags: ["shapes"] },
    },
    location: {
      one: "Location",
      many: "Locations",
      create: { name: "Library", addressLine1: "Rua do Almada 3", city: "Porto", country: "Portugal", capacity: 24 },
      change: { capacity: 30 },
    },
    membership: {
      one: "Membership",
      many: "Memberships",
      create: { name: "Evening pass", expiresAfterDays: 90, course_ids: [courseId] },
      change: { expiresAfterDays: 120 },
    },
    order: {
      one: "Order",
      many: "Orders",
      create: { userId, items, total: 49.9, currency: "EUR", status: "completed" },
      change: { status: "refunded" },
    },
    portal: {
      one: "Portal",
      many: "Portals",
      create: { name: "Riverside Trust", totalSeat: 25, primaryColor: "#1f4e79", member_ids: [userId] },
      change: { totalSeat: 30 },
    },
    review: {
      one: "Review",
      many: "Reviews",
      create: { courseId, rating: 5, text: "Clear, and to the point." },
      change: { rating: 4 },
    },
    "sso-provider": {
      one: "SignInProvider",
      many: "SignInProviders",
      create: {
        name: "Example Corp",
        slug: "example-corp",
        issuer: "https://accounts.example.com",
        clientId: "lectern",
        domains: ["corp.example.com"],
        create: true,
      },
      change: { active: false },
    },
    subscription: {
      one: "Subscription",
      many: "Subscriptions",
      create: { userId, subscription_name: "All courses", total: 19, currency: "EUR", status: "Active" },
      change: { status: "Cancelled" },
    },
    "user-consent": {
      one: "Consent",
      many: "Consents",
      create: { consentId: "privacy-2026", status: "accepted", country: "PT" },
      change: { status: "rejected" },
    },
    "user-source": {
      one: "UserSource",
      many: "UserSources",
      create: { name: "Trade fair", identifier: "trade-fair", description: "Met at a fair" },
      change: { name: "Trade fairs" },
    },
    webhook: {
      one: "Webhook",
      many: "Webhooks",
      create: {
        url: "https://hooks.example.org/lectern",
        events: ["user.created", "enrollment.created"],
        description: "The personnel system",
      },
      change: { description: "The personnel system's queue" },
    },
  } satisfies Record<string, ExampleRecord>
}

export type RecordName = keyof ReturnType<typeof exampleRecords>

export const RECORD_NAMES = Object.keys(exampleRecords({ userId: 0, courseId: 0, badgeId: 0 })) as RecordName[]

const TEXT = { content: "<p>Read this first.</p>", estimatedCompletion: 20, estimationCompletedUnit: "minutes" }
const OPTIONS = [
  { text: "Check the brakes", correct: true },
  { text: "Lift the load", correct: false },
]

/** The bodies that create a module of each type without files. */
export const EXAMPLE_MODULES = {
  text: { name: "How a forklift works", ...TEXT },
  video: { name: "A tour of the yard", ...TEXT, videoUrl: "https://video.example/yard.mp4", videoSeconds: 240 },
  quiz: {
    name: "Before you drive",
    ...TEXT,
    questions: [
      { text: "What comes first?", type: "single", points: 2, options: OPTIONS },
      { text: "Why?", type: "essay", points: 2 },
    ],
    passPercent: 50,
    maxAttempts: 3,
  },
  assignment: { name: "Your first shift", ...TEXT, submission_type: "text", totalPoints: 10 },
}

export const EXAMPLE_ADDRESS = {
  fullName: "Inês Duarte Alves",
  addressLine1: "Rua das Flores 12",
  zipcode: "4050-262",
  city: "Porto",
  country: "Portugal",
  isDefault: true,
}
