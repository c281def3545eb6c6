import { t } from "../../messages/messages.ts"
import { CheckBox, Select, TextField } from "../../ui/form.tsx"
import type { ModuleFormProps } from "./module-form.ts"

const DEFAULT_PASS_PERCENT = 70
const REVIEW_DETAILS = ["score", "answers", "explanations"] as const
const REVIEW_TIMES = ["attempt", "passed", "last"] as const

/** How a quiz is taken, graded, and reviewed. */
export const QuizSettings = ({ module }: { module: ModuleFormProps<"quiz">["module"] | undefined }) => (
  <>
    <div class="filters">
      <TextField
        name="passPercent"
        label={t("courses:quiz.pass")}
        type="number"
        min={0}
        max={100}
        defaultValue={module?.passPercent ?? DEFAULT_PASS_PERCENT}
      />
      <TextField
        name="maxAttempts"
        label={t("courses:quiz.attempts")}
        hint={t("courses:unlimited.hint")}
        type="number"
        min={0}
        max={1000}
        defaultValue={module?.maxAttempts || ""}
      />
      <TextField
        name="timeLimitMinutes"
        label={t("courses:quiz.time-limit")}
        hint={t("courses:unlimited.hint")}
        type="number"
        min={0}
        max={10_000}
        defaultValue={module?.timeLimitMinutes || ""}
      />
    </div>
    <CheckBox
      name="shuffleQuestions"
      label={t("courses:quiz.shuffle-questions")}
      defaultChecked={module?.shuffleQuestions ?? false}
    />
    <CheckBox
      name="shuffleOptions"
      label={t("courses:quiz.shuffle-options")}
      defaultChecked={module?.shuffleOptions ?? false}
    />
    <CheckBox
      name="partialCredit"
      label={t("courses:quiz.partial-credit")}
      defaultChecked={module?.partialCredit ?? false}
    />
    <div class="filters">
      <Select
        name="reviewDetail"
        label={t("courses:review.detail")}
        value={module?.reviewDetail ?? "explanations"}
        options={REVIEW_DETAILS.map((value) => ({ value, label: t(`courses:review.detail.${value}`) }))}
      />
      <Select
        name="reviewAfter"
        label={t("courses:review.after")}
        value={module?.reviewAfter ?? "passed"}
        options={REVIEW_TIMES.map((value) => ({ value, label: t(`courses:review.after.${value}`) }))}
      />
    </div>
  </>
)
