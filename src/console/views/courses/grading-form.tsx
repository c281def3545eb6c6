import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Choices, Form, TextArea, TextField, type Values } from "../../ui/form.tsx"

interface GradingFormProps {
  statusRowId: number
  work: Schemas["AssignmentSubmission"]
  totalPoints: number
  hasNext: boolean
  onDone: () => void
}

/** The form to grade a submission; the grade if it was already graded. */
export function GradingForm({ statusRowId, work, totalPoints, hasNext, onDone }: GradingFormProps) {
  const me = useMe()
  const evaluate = useChange({
    call: (body: Schemas["AssignmentEvaluation"]) => api.POST("/api/module/assignment/evaluate", { body }),
    invalidates: ["/api/course/submissions", "/api/course/all-submissions", "/api/module/assignment/submissions"],
  })
  const submit = async (values: Values) => {
    const pointsAwarded = values.number("pointsAwarded")
    const instructorMessage = values.optional("instructorMessage")
    const isAccepted = values.text("isAccepted") === "true"
    const evaluation = {
      isAccepted,
      ...(pointsAwarded !== undefined && { pointsAwarded }),
      ...(instructorMessage !== undefined && { instructorMessage }),
    }
    await evaluate.mutateAsync({ statusRowId, evaluation })
    onDone()
  }
  if (work.status !== "Submitted")
    return (
      <dl class="facts">
        <dt>{t("courses:points")}</dt>
        <dd>
          {work.points_awarded === null
            ? t("courses:points.none")
            : t("courses:points.of", { points: number(work.points_awarded), of: number(totalPoints) })}
        </dd>
        <dt>{t("courses:feedback")}</dt>
        <dd dir="auto">{work.instructor_message || t("none")}</dd>
      </dl>
    )
  if (!hasAccess(me, "staff")) return <p>{t("courses:grade.pending")}</p>
  return (
    <Form submit={hasNext ? t("courses:grade.save-next") : t("save")} onSubmit={submit}>
      <TextField
        name="pointsAwarded"
        label={t("courses:points")}
        hint={t("courses:points.hint", { of: number(totalPoints) })}
        type="number"
        min={0}
        max={totalPoints}
        step={1}
      />
      <TextArea name="instructorMessage" label={t("courses:feedback")} rows={6} maxLength={5000} dir="auto" />
      <Choices
        name="isAccepted"
        label={t("courses:result")}
        single
        values={["true"]}
        options={[
          { value: "true", label: t("courses:result.accept") },
          { value: "false", label: t("courses:result.return") },
        ]}
      />
    </Form>
  )
}
