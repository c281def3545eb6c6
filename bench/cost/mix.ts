// What happens in a year of an academy, for each learner who learns in it. The proportions are those of the Open
// University Learning Analytics Dataset (see bench/README.md); `npm run bench -- cost --derive --data <folder>`
// counts them again.

/** What the dataset says. */
export interface Facts {
  learners: number
  /** Learners, once for each year in which a presentation that they are registered in begins. */
  learnerYears: number
  registrations: number
  /** Registrations that ended with Pass or Distinction. */
  completed: number
  /** Materials, quizzes and assignments of a registration's course, in the mean. */
  modules: number
  /** Rows of studentVle.csv: a learner with a material on a day. */
  acts: number
  /** Of these, a learner's first with a material; undefined: studentVle.csv is not there. */
  openings?: number
  /** Days on which a learner did anything in a registration; undefined likewise. */
  days?: number
  /** Results of computer-marked and of tutor-marked assessments. */
  quizzes: number
  submissions: number
}

/**
 * Counted from the files that stand in bench/README.md. `acts` is the published number of rows of studentVle.csv, and
 * `quizzes` and `submissions` share the published 173,912 results as registrations are offered them.
 */
export const FACTS: Facts = {
  learners: 28_785,
  learnerYears: 30_586,
  registrations: 32_593,
  completed: 15_385,
  modules: 330,
  acts: 10_655_280,
  quizzes: 66_832,
  submissions: 87_201,
}

/** What no file says: assumed. */
export const ASSUMED = {
  /** The part of a course's modules that a registration ever opens. */
  openedOfModules: 0.3,
  /** Of the modules opened, those completed. */
  completedOfOpened: 0.8,
  /** Materials of one sitting; each sitting begins with a sign-in, for a token lasts 12 hours. */
  actsOfSitting: 5.5,
  /** Learners per tutor, a tutor's working days in a year, and the pages that a tutor opens on each. */
  learnersOfTutor: 20,
  workingDays: 220,
  listsOfDay: 5,
  reportsOfWeek: 1,
  exportsOfMonth: 1,
  changesOfMonth: 4,
  /** Announcements that each learner is mailed in a year. */
  announcements: 24,
  /** The number of learners that share the academy's fixed work, such as the cron. */
  academy: 10_000,
  /** The ratio of the busiest day to the mean day, and the busiest hour's share of that day. */
  busiestDay: 3,
  busiestHour: 0.1,
}

/** How often each act happens in a learner-year, and why. */
export type Mix = Record<ActName, { count: number; from: string }>

export type ActName = keyof ReturnType<typeof createMix>

export function createMix(facts: Facts) {
  const a = ASSUMED
  const per = (number: number) => number / facts.learnerYears
  const openings = facts.openings ?? facts.registrations * facts.modules * a.openedOfModules
  const sittings = facts.days ?? facts.acts / a.actsOfSitting
  const completions = openings * a.completedOfOpened
  const heartbeats = facts.acts - openings - completions - 2 * facts.quizzes - facts.submissions
  const months = 12 / a.learnersOfTutor
  const day = a.workingDays / a.learnersOfTutor
  const counted = (number: number, from: string) => ({ count: per(number), from })
  const assumed = (count: number, from: string) => ({ count, from: `assumed: ${from}` })
  const sat = facts.days ? "days of studentVle.csv" : `assumed: ${a.actsOfSitting} materials a sitting`
  return {
    "create a user": counted(facts.learners, "studentInfo.csv: each learner once"),
    enroll: counted(facts.registrations, "studentInfo.csv"),
    "sign in": counted(sittings, sat),
    "see the dashboard": counted(sittings, sat),
    "list own courses": counted(sittings, sat),
    "list a course's modules": counted(2 * sittings, `${sat}, twice each`),
    "begin a course": counted(facts.registrations, "the first module that is opened"),
    "open a module": counted(
      openings - facts.registrations,
      facts.openings ? "studentVle.csv" : `assumed: ${a.openedOfModules} of a course's modules`,
    ),
    heartbeat: counted(heartbeats, "what is left of the rows of studentVle.csv"),
    "complete a module": counted(completions, `assumed: ${a.completedOfOpened} of those opened`),
    "take a quiz": counted(facts.quizzes, "results of computer-marked assessments"),
    "submit an assignment": counted(facts.submissions, "results of tutor-marked assessments"),
    "evaluate a submission": counted(facts.submissions, "each submission once"),
    "complete a course": counted(facts.completed, "studentInfo.csv: Pass and Distinction"),
    "see own profile": assumed(12, "once a month"),
    "list own activities": assumed(12, "once a month"),
    "list a course's learners": assumed(a.listsOfDay * day, `${a.listsOfDay} of a tutor's working day`),
    "list the submissions": assumed(a.listsOfDay * day, `${a.listsOfDay} of a tutor's working day`),
    "list users, searched": assumed(day, "once a tutor's working day"),
    "read a user": assumed(2 * day, "twice a tutor's working day"),
    "report on a course": assumed((52 * a.reportsOfWeek) / a.learnersOfTutor, `${a.reportsOfWeek} of a tutor's week`),
    "export learners": assumed(a.exportsOfMonth * months, `${a.exportsOfMonth} of a tutor's month`),
    "change a record": assumed(a.changesOfMonth * months, `${a.changesOfMonth} of a tutor's month`),
    "be mailed an announcement": assumed(a.announcements, "two a month"),
    "the cron's minute": assumed((365 * 24 * 60) / a.academy, `shared by ${a.academy} learners`),
  }
}
