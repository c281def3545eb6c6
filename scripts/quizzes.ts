// npm run verify -- quizzes: 1,000 learners take a quiz of 20 questions, drawn from 200.
import { fail, flags } from "./lib/cli.ts"
import { runStep } from "./lib/steps.ts"

flags("npm run verify -- quizzes", "1,000 learners take a quiz that draws 20 of 200 questions.", {})

const { passed } = await runStep({
  name: "quizzes",
  run: ["vitest", "run", "--config", "test/vitest.config.ts", "test/assessments/quiz-simulation.test.ts"],
  env: { QUIZ_LEARNERS: "1000" },
  live: true,
})
if (!passed) fail("The simulated quiz failed.")
