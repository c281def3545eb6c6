import { type Connection, offersTools } from "./operations.ts"
import { promptsGetParams, RpcError } from "./protocol.ts"

// The prompts: tasks that people start by name. A connection has those whose tools it offers.

/** What the values of an argument are, for their completion; undefined: any text. */
export type ArgumentKind = "courseName" | "email" | undefined

interface PromptArgument {
  description: string
  required?: boolean
  kind?: ArgumentKind
}

interface Prompt {
  title: string
  description: string
  arguments: Record<string, PromptArgument>
  /** The tools that the text names. */
  tools: readonly string[]
  text: (given: Record<string, string>) => string
}

const quote = (value: string | undefined) => JSON.stringify(value ?? "")
const steps = (...lines: string[]) => lines.map((line, at) => `${at + 1}. ${line}`).join("\n")
/** Only if the argument was sent. */
const inCourse = ({ course }: Record<string, string>) => (course ? ` in the course ${quote(course)}` : "")
const findCourse = ({ course }: Record<string, string>) =>
  course ? [`Find the ID of the course ${quote(course)} with listCourses (search_param.courseName).`] : []

const COURSE: PromptArgument = { description: "The name of a course. Without one: all courses", kind: "courseName" }

const PROMPTS: Record<string, Prompt> = {
  weekly_report: {
    title: "Weekly report",
    description: "Reports a week of training: enrollments, completions, and what is overdue",
    arguments: { course: COURSE },
    tools: ["listCourses", "reportCourseDays", "getCoursesOverview", "summarizeDueTraining", "listDueTraining"],
    text: (given) => `Write a report of the last seven days of training${inCourse(given)}.

${steps(
  ...findCourse(given),
  "Read the enrollments, starts and completions of each day with reportCourseDays, for this week and the week before.",
  "Read the enrollments by status with getCoursesOverview.",
  "Read the due statuses with summarizeDueTraining, and who is overdue with listDueTraining " +
    "(search_param.dueStatus: overdue).",
)}

Begin with three sentences for managers. Then list the numbers of this week beside those of the week before, and the
overdue people with their courses and due dates. Do not guess: if a tool returns an error, say what is missing.`,
  },
  onboard_learner: {
    title: "Onboard a learner",
    description: "Creates a user if there is none, and enrolls them in a course",
    arguments: {
      email: { description: "The email address of the person", required: true, kind: "email" },
      name: { description: "The full name, for a new user" },
      course: { description: "The name of the course", required: true, kind: "courseName" },
    },
    tools: ["getUserByEmail", "createUser", "listCourses", "enrollUsers"],
    text: (given) => `Onboard the person with the email address ${quote(given.email)}.

${steps(
  ...findCourse(given),
  "Look for the user with getUserByEmail.",
  `If there is none, show me what you will create, and after I agree use createUser${
    given.name ? ` with the name ${quote(given.name)}` : ". Ask me for the name"
  }.`,
  "Show me the course and the person, and after I agree use enrollUsers.",
  "Tell me the ID of the user, and whether they were enrolled before.",
)}`,
  },
  learner_progress: {
    title: "Progress of a learner",
    description: "Summarizes the courses, due dates and certificates of one person",
    arguments: { email: { description: "The email address of the learner", required: true, kind: "email" } },
    tools: ["getUserByEmail", "listEnrolledCourses", "listDueTraining", "listUserCertificates"],
    text: (given) => `Summarize the training of the person with the email address ${quote(given.email)}.

${steps(
  "Find the user with getUserByEmail.",
  "Read their courses with listEnrolledCourses, their due dates with listDueTraining (user_id), and their " +
    "certificates with listUserCertificates.",
)}

Say what is completed, what is in progress, and what is due next or overdue, with dates.`,
  },
  overdue_training: {
    title: "Follow up on overdue training",
    description: "Lists who is overdue, and sends reminders after you agree",
    arguments: { course: COURSE },
    tools: ["listCourses", "listDueTraining", "remindLearners"],
    text: (given) => `Find out who is overdue${inCourse(given)}.

${steps(
  ...findCourse(given),
  "List the overdue enrollments with listDueTraining (search_param.dueStatus: overdue), the oldest due date first.",
  "Show me the people with their courses and the days that they are late.",
  "Ask me which people to remind. Only then use remindLearners, once.",
)}`,
  },
}

/** The prompts that a connection has. */
async function offered(connection: Connection): Promise<[string, Prompt][]> {
  const found: [string, Prompt][] = []
  for (const entry of Object.entries(PROMPTS)) if (await offersTools(connection, entry[1].tools)) found.push(entry)
  return found
}

/** @throws RpcError for a prompt that the connection does not have */
export async function promptNamed(connection: Connection, name: string): Promise<Prompt> {
  const prompt = Object.hasOwn(PROMPTS, name) ? PROMPTS[name] : undefined
  if (!prompt || !(await offersTools(connection, prompt.tools)))
    throw new RpcError("invalidParams", `Unknown prompt: ${name}`)
  return prompt
}

/** What `prompts/list` returns. */
export const listPrompts = async (connection: Connection) => ({
  prompts: (await offered(connection)).map(([name, { title, description, arguments: given }]) => ({
    name,
    title,
    description,
    arguments: Object.entries(given).map(([argument, { description: about, required = false }]) => ({
      name: argument,
      description: about,
      required,
    })),
  })),
})

/** What `prompts/get` returns. @throws RpcError */
export async function getPrompt(connection: Connection, params: unknown) {
  const { data } = promptsGetParams.safeParse(params)
  if (!data) throw new RpcError("invalidParams", "prompts/get requires the name of a prompt, and arguments as text.")
  const { name, arguments: given = {} } = data
  const { description, arguments: known, text } = await promptNamed(connection, name)
  for (const argument of Object.keys(given))
    if (!Object.hasOwn(known, argument)) throw new RpcError("invalidParams", `${name} has no argument ${argument}.`)
  for (const [argument, { required }] of Object.entries(known))
    if (required && !given[argument]?.trim()) throw new RpcError("invalidParams", `${name} requires ${argument}.`)
  return { description, messages: [{ role: "user" as const, content: { type: "text" as const, text: text(given) } }] }
}
