// npm run bench -- academy: loads the Open University Learning Analytics Dataset through the API of a running service,
// and compares the service's reports with the dataset. With --learners 1000 it creates only as many learners, one call
// at a time. A repeated run continues an interrupted one. Start the service with npm start -- --var RATE_LIMIT:1000000.
import { resolve } from "node:path"
import { flags, integer } from "../scripts/lib/cli.ts"
import { PASSWORD } from "../scripts/lib/client.ts"
import type { LecternClient } from "../src/client/index.ts"
import {
  checkAttempts,
  checkDashboards,
  checkOverview,
  checkReports,
  checkStudents,
  checkSubmissions,
} from "./academy/checks.ts"
import { type Catalog, catalogOf, loadCourses } from "./academy/courses.ts"
import { type Learner, readDataset, readLearners } from "./academy/dataset.ts"
import { checkLearners, defineFields, uploadLearners } from "./academy/learners.ts"
import { loadRegistrations, loadResults, type Student, studentsOf } from "./academy/registrations.ts"
import { connectService, listAllUsers, type User } from "./academy/service.ts"
import { loadSome } from "./academy/some-learners.ts"

const DASHBOARDS = 200

const values = flags(
  "npm run bench -- academy",
  "Loads the OULAD dataset over the API and compares the reports with it.",
  {
    learners: { type: "string", value: "n", about: "only the first n learners, one call each, and their export" },
    data: { type: "string", value: "folder", default: "oulad", about: "where the dataset is: see bench/README.md" },
    url: {
      type: "string",
      value: "address",
      default: process.env.BASE_URL || "http://localhost:8787",
      about: "where it is",
    },
    email: { type: "string", value: "address", default: "owner@example.com", about: "who calls it" },
    password: { type: "string", default: PASSWORD, about: "their password" },
    "check-only": { type: "boolean", default: false, about: "loads nothing: compares existing data with the dataset" },
    concurrency: { type: "string", value: "n", default: "8", about: "how many calls at once" },
  },
)

/** Prints a step with the seconds since the previous one. */
function stopwatch() {
  let last = performance.now()
  return (what: string) => {
    console.info(`${what} (${((performance.now() - last) / 1000).toFixed(1)} s)`)
    last = performance.now()
  }
}

type Dataset = ReturnType<typeof readDataset>
/** The records of the service, by their names in the dataset. */
interface Loaded {
  catalog: Catalog
  users: Map<string, User>
  students: Map<string, Map<string, Student>>
}

const coursesOf = ({ presentations }: Dataset, { courses }: Catalog) =>
  presentations.map(({ name }): [string, number] => [name, courses.get(name) ?? 0])

/** Loads missing records. */
async function load(
  client: LecternClient,
  learners: Learner[],
  dataset: Dataset,
  width: number,
  say: (what: string) => void,
): Promise<Loaded> {
  await defineFields(client, learners)
  const created = await uploadLearners(client, learners)
  say(`${learners.length} learners: ${created} created, ${learners.length - created} there already`)
  const { presentations, registrations, attempts, submissions } = dataset
  const catalog = await loadCourses(client, presentations, width)
  const materials = presentations.reduce((sum, course) => sum + course.materials.length, 0)
  say(`${presentations.length} courses of ${materials} modules`)
  const users = await listAllUsers(client)
  const made = await loadRegistrations(client, registrations, users, catalog)
  say(`${registrations.length} enrollments: ${made} made, ${registrations.length - made} there already`)
  const students = await studentsOf(client, coursesOf(dataset, catalog))
  const tried = await loadResults(client, "quizzes", attempts, students, catalog)
  say(`${attempts.length} quiz attempts: ${tried} recorded, ${attempts.length - tried} there already`)
  const sent = await loadResults(client, "assignments", submissions, students, catalog)
  say(`${submissions.length} submissions: ${sent} recorded, ${submissions.length - sent} there already`)
  return { catalog, users, students }
}

/** Records that were loaded before. */
async function loaded(client: LecternClient, dataset: Dataset): Promise<Loaded> {
  const catalog = await catalogOf(client)
  return {
    catalog,
    users: await listAllUsers(client),
    students: await studentsOf(client, coursesOf(dataset, catalog)),
  }
}

/** @returns the differences between the data and what the service reports */
async function check(
  client: LecternClient,
  learners: Learner[],
  { registrations, attempts, submissions }: Dataset,
  { catalog, users, students }: Loaded,
  say: (what: string) => void,
): Promise<string[]> {
  const unlike = await checkLearners(client, learners)
  say(`The users' export: ${unlike.length} differences`)
  const overview = await checkOverview(client, registrations)
  const differences = [
    ...unlike,
    ...overview.differences,
    ...(await checkStudents(client, registrations, students, catalog.courses)),
    ...(await checkAttempts(client, attempts)),
    ...(await checkSubmissions(client, registrations, submissions)),
    ...(await checkReports(client, { registrations, attempts, submissions }, catalog)),
    ...(await checkDashboards(client, registrations, users, DASHBOARDS)),
  ]
  const [notStarted, inProgress, completed] = overview.sums
  say(`Overview: Completed ${completed}, In Progress ${inProgress}, Not Started ${notStarted}`)
  return differences
}

const folder = resolve(values.data)
const width = integer("concurrency", values.concurrency)
const learners = readLearners(folder)
const client = await connectService(values.url, values.email, values.password)
if (values.learners !== undefined)
  process.exit((await loadSome(client, learners.slice(0, integer("learners", values.learners)), width)) ? 0 : 1)

const dataset = readDataset(folder)
const say = stopwatch()
const there = values["check-only"] ? await loaded(client, dataset) : await load(client, learners, dataset, width, say)
const differences = await check(client, learners, dataset, there, say)
for (const difference of differences.slice(0, 20)) console.error(difference)
if (differences.length > 0) {
  console.error(`${differences.length} differences between the data and what the service reports.`)
  process.exit(1)
}
console.info(`All of it, and ${DASHBOARDS} dashboards of a random sample, agree with the data.`)
