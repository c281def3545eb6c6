import { Star } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useMe } from "../../api/me.tsx"
import { useChange, useListPage } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Choices, Form, TextArea } from "../../ui/form.tsx"

type Review = RecordOf<"/api/review/tabularlist">

const RATINGS = [1, 2, 3, 4, 5]

interface ReviewDialogProps {
  courseId: number
  /** undefined: a new one. */
  review: Review | undefined
  onClose: () => void
}

function ReviewDialog({ courseId, review, onClose }: ReviewDialogProps) {
  const save = useChange({
    call: (body: { rating: number; text: string }) =>
      review
        ? api.PUT("/api/review/{id}", { params: { path: { id: review.id } }, body })
        : api.POST("/api/review/create", { body: { courseId, ...body } }),
    invalidates: ["/api/review"],
  })
  return (
    <Dialog title={t("learner:rate")} onClose={onClose}>
      <Form
        submit={t("save")}
        more={<CancelButton />}
        onSubmit={async (values) => {
          await save.mutateAsync({ rating: values.number("rating") ?? 0, text: values.text("text") })
          onClose()
        }}
      >
        <Choices
          name="rating"
          label={t("learner:rate.stars")}
          single
          values={[review?.rating ?? RATINGS.length]}
          options={RATINGS.map((value) => ({
            value,
            label: t("learner:rate.count", { count: value, shown: number(value) }),
          }))}
        />
        <TextArea
          name="text"
          label={t("learner:rate.text")}
          hint={t("learner:rate.hint")}
          rows={4}
          maxLength={5000}
          dir="auto"
          defaultValue={review?.text}
        />
      </Form>
    </Dialog>
  )
}

/** The learner's own review of a course. */
export function RateCourse({ courseId }: { courseId: number }) {
  const me = useMe()
  const [isOpen, setIsOpen] = useState(false)
  const reviews = useListPage("/api/review/tabularlist", {
    query: { search_param: { courseId, userId: me.id } },
    page: undefined,
    size: 1,
  })
  return (
    <Loaded query={reviews}>
      {({ records: [review] }) => (
        <div class="actions">
          {review && (
            <span>
              {t("learner:rate.yours")}{" "}
              {t("learner:rate.count", { count: review.rating, shown: number(review.rating) })}
            </span>
          )}
          <button type="button" class="with-icon" onClick={() => setIsOpen(true)}>
            <Star size={18} aria-hidden /> {t(review ? "learner:rate.edit" : "learner:rate")}
          </button>
          {isOpen && <ReviewDialog courseId={courseId} review={review} onClose={() => setIsOpen(false)} />}
        </div>
      )}
    </Loaded>
  )
}
