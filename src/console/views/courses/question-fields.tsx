import { ImagePlus } from "lucide-preact"
import type { ComponentChildren } from "preact"
import { t } from "../../messages/messages.ts"
import { Select, TextArea, TextField } from "../../ui/form.tsx"
import { chooseFile } from "../../ui/media/choose-media.ts"
import { QuestionImage } from "../../ui/question-image.tsx"
import { optionsFor } from "./labels.ts"
import { QuestionAnswers, type QuestionProps } from "./question-answers.tsx"
import { newOption, QUESTION_TYPES, type QuestionDraft } from "./question-draft.ts"

/** Changes the type. Types with one correct choice keep the first that is marked. */
function withType(question: QuestionDraft, type: QuestionDraft["type"]): QuestionDraft {
  const isEmpty = question.options.every(({ text }) => text === "")
  const options =
    type === "truefalse" && isEmpty
      ? [newOption(t("courses:quiz.true"), true), newOption(t("courses:quiz.false"))]
      : question.options.length === 0
        ? [newOption("", true), newOption()]
        : question.options
  if (type !== "single" && type !== "truefalse") return { ...question, type, options }
  const correct = options.find((option) => option.correct)
  return { ...question, type, options: options.map((option) => ({ ...option, correct: option === correct })) }
}

/** The fields of a question. @param more fields beside its type */
export function QuestionFields({ question, nameOf, onChange, more }: QuestionProps & { more?: ComponentChildren }) {
  return (
    <>
      <div class="filters">
        <Select
          name={nameOf("type")}
          label={t("courses:type")}
          value={question.type}
          options={optionsFor("question", QUESTION_TYPES)}
          onChange={(value) =>
            onChange(withType(question, QUESTION_TYPES.find((candidate) => candidate === value) ?? "single"))
          }
        />
        {more}
      </div>
      <TextArea
        name={nameOf("text")}
        label={t("courses:quiz.question-text")}
        rows={2}
        required
        maxLength={5000}
        dir="auto"
        value={question.text}
        onInput={({ currentTarget: { value } }) => onChange({ ...question, text: value })}
      />
      <QuestionAnswers question={question} nameOf={nameOf} onChange={onChange} />
      <details open={question.explanation !== "" || question.imageUrl !== ""}>
        <summary>{t("courses:quiz.more")}</summary>
        <TextArea
          name={nameOf("explanation")}
          label={t("courses:quiz.explanation")}
          hint={t("courses:quiz.explanation.hint")}
          rows={3}
          maxLength={5000}
          dir="auto"
          value={question.explanation}
          onInput={({ currentTarget: { value } }) => onChange({ ...question, explanation: value })}
        />
        <TextField
          name={nameOf("imageUrl")}
          label={t("courses:quiz.image")}
          maxLength={2000}
          dir="ltr"
          value={question.imageUrl}
          // Not on input: each keystroke would load another URL.
          onChange={({ currentTarget: { value } }) => onChange({ ...question, imageUrl: value.trim() })}
        />
        <div class="actions">
          <button
            type="button"
            onClick={async () => {
              const image = await chooseFile(["image"])
              if (image) onChange({ ...question, imageUrl: image.url, imageAlt: question.imageAlt || image.altText })
            }}
          >
            <ImagePlus size={16} aria-hidden /> {t("media.choose-image")}
          </button>
          {question.imageUrl && (
            <button type="button" onClick={() => onChange({ ...question, imageUrl: "", imageAlt: "" })}>
              {t("media.remove-image")}
            </button>
          )}
        </div>
        {question.imageUrl && (
          <TextField
            name={nameOf("imageAlt")}
            label={t("courses:quiz.image-alt")}
            hint={t("courses:quiz.image-alt.hint")}
            maxLength={500}
            dir="auto"
            value={question.imageAlt}
            onInput={({ currentTarget: { value } }) => onChange({ ...question, imageAlt: value })}
          />
        )}
        <QuestionImage key={question.imageUrl} url={question.imageUrl} alt={question.imageAlt} />
      </details>
    </>
  )
}
