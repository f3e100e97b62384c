import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["scripts/**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "no-var": "error",
      "prefer-const": "error",
      "max-lines": ["error", { max: 220, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 12],
    },
  },
  { files: ["*.js"], languageOptions: { globals: globals.node } },
];
