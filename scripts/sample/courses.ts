import { type Academy, TEACHER } from "./academy.ts"

/** A quiz question; the first option is the right one. */
const question = (text: string, ...options: string[]) => ({
  text,
  type: "single",
  points: 5,
  options: options.map((option, index) => ({ text: option, correct: index === 0 })),
})

/** What a course teaches: two texts, a film and a quiz, and how long it takes in minutes. */
const COURSES = [
  {
    name: "Working with data",
    category: "Technology",
    minutes: 90,
    quiz: [
      question("What does a median tell?", "The value in the middle", "The most frequent value", "The sum"),
      question("Which chart shows a share of a whole?", "A pie chart", "A line chart", "A scatter plot"),
    ],
  },
  {
    name: "Clear writing",
    category: "Communication",
    minutes: 60,
    quiz: [
      question("What comes first in a report?", "What matters most", "How it was made", "Thanks"),
      question("How long is a good sentence?", "As long as one thought", "Fifty words", "Five words"),
    ],
  },
  {
    name: "Safety at work",
    category: "Compliance",
    minutes: 45,
    expiresAfterDays: 365,
    totalSeats: 100,
    quiz: [
      question("Who should hear about a near miss?", "The safety officer", "Nobody", "A friend"),
      question("Where is the assembly point?", "As the plan on the wall says", "At home", "In the lift"),
    ],
  },
  {
    name: "Leading a team",
    category: "Communication",
    minutes: 120,
    quiz: [question("How is praise best given?", "Soon and in particular", "Once a year", "In general")],
    practice: 3,
  },
]

/** The questions of a pool, by tag. */
const POOL = {
  feedback: [
    question("Where do you correct a mistake?", "In private", "In front of the team", "In a newsletter"),
    question("What makes feedback useful?", "It names one thing to do next", "It is short of facts", "It comes late"),
    question("What do you do first with feedback on yourself?", "Listen", "Explain", "Object"),
  ],
  meetings: [
    question("What does an invitation to a meeting need?", "A purpose", "A dress code", "A long list of guests"),
    question("What ends a good meeting?", "Who does what by when", "Applause", "The next meeting"),
    question("Who should speak in a meeting?", "Everyone who was asked to come", "Only its leader", "The loudest"),
  ],
}

/** A pool of questions, from which a quiz draws. */
async function pool(academy: Academy): Promise<number> {
  const poolId = await academy.create("/api/question-pool/create", "leadership-pool", { name: "Leadership" })
  for (const [tag, questions] of Object.entries(POOL))
    for (const [index, { points: _, ...asked }] of questions.entries())
      await academy.create("/api/question/create", `leadership-${tag}-${index}`, { poolId, ...asked, tags: [tag] })
  return poolId
}

/** Published courses with modules of three types, one with a drawn quiz, a draft, and a learning path. */
export async function courses(all: Academy) {
  const academy = await all.by(TEACHER)
  const category = (name: string, categoryType = "course") =>
    academy.create("/api/category/create", `${categoryType}-category-${name}`, { category_name: name, categoryType })
  const categoryId = await category("Recall", "question")
  const reading = [await category("Reading", "module")]
  const film = [await category("Film", "module")]
  await category("Bundles", "product")
  const authorId = academy.userId(TEACHER)
  const [template] = await academy.sql("select id from certificate_templates order by id")
  const certificateTemplateId = Number(template?.[0])
  const ids: number[] = []
  const poolId = await pool(academy)
  for (const { name, category: of, minutes, quiz, practice = 0, ...limits } of COURSES) {
    const key = name.toLowerCase().replaceAll(" ", "-")
    const create = (type: string, part: string, body: object) =>
      academy.create(`/api/modules/${type}`, `${key}-${part.toLowerCase().replaceAll(" ", "-")}`, {
        name: `${name}: ${part}`,
        ...body,
      })
    const modules = [
      await create("text", "Introduction", {
        content: `<p>What ${name.toLowerCase()} is about.</p>`,
        categoryIds: reading,
      }),
      await create("video", "In practice", {
        content: "<p>A film of a day at work.</p>",
        videoUrl: `https://videos.example.com/${key}.mp4`,
        videoSeconds: 600,
        categoryIds: film,
      }),
      await create("quiz", "What you know", {
        content: "",
        passPercent: 50,
        maxAttempts: 3,
        questions: quiz.map((asked) => ({ ...asked, categoryId })),
      }),
      await create("text", "Further reading", {
        content: "<p>Books and pages to go on with.</p>",
        categoryIds: reading,
      }),
    ]
    if (practice > 0)
      modules.push(
        await create("quiz", "Practice", {
          content: "<p>Other questions each time.</p>",
          passPercent: 60,
          shuffleQuestions: true,
          shuffleOptions: true,
          questions: [],
          draws: [{ poolId, tag: "", count: practice, points: 5 }],
        }),
      )
    const rows = modules.map((module_id, index) => ({ module_id, required: index < 3, isLocked: index === 2 }))
    const course = { name, status: "publish", estimatedMinutes: minutes, authorId, enableCourseRating: true, ...limits }
    const categoryIds = [await category(of)]
    ids.push(
      await academy.create("/api/course/create", key, { ...course, certificateTemplateId, categoryIds, modules: rows }),
    )
  }
  await academy.create("/api/course/create", "public-speaking", { name: "Public speaking", status: "draft", authorId })
  await academy.create("/api/learningpath/create", "first-weeks", { name: "First weeks", course_ids: ids.slice(1, 3) })
}
