/** A quiz of one question, of which the first answer is right. */
export const questions = [
  {
    text: "Which is right?",
    type: "single",
    points: 10,
    options: [
      { text: "This one", correct: true },
      { text: "That one", correct: false },
    ],
  },
]
