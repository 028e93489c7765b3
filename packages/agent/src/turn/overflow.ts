/** How providers say that a prompt is too long. */
const OVERFLOW = [
  // OpenAI, Azure, and those that took its codes
  /context_length_exceeded/i,
  /string_above_max_length/i,
  /maximum context length/i,
  /exceeds? the (?:model'?s? )?(?:maximum )?(?:available )?context (?:length|window|size|limit)/i,
  /context (?:length|window|size|limit) (?:is |was |has been )?exceeded/i,
  // Anthropic
  /prompt is too long/i,
  /input length and `?max_tokens`? exceed context limit/i,
  /request_too_large/i,
  // Google
  /input token count[^.]{0,80}exceeds the maximum/i,
  /exceeds the maximum number of (?:input )?tokens/i,
  // vLLM, TGI, SGLang
  /max(?:imum)?[_ ]model[_ ]len/i,
  /`?inputs`? (?:tokens )?(?:must have less than|\+ `?max_new_tokens`? must be)/i,
  /longer than the (?:model's|maximum) (?:context|model|input) length/i,
  // llama.cpp, LM Studio, Ollama
  /exceed_context_size_error/i,
  /exceeds the available context size/i,
  /greater than the context length/i,
  /input (?:is too long|length exceeds)[^.]{0,60}(?:context|maximum)/i,
  /requested tokens? \(\d+\) exceed/i,
  // OpenRouter, xAI, Mistral, Groq, Bedrock
  /endpoint's maximum context length/i,
  /maximum prompt length is/i,
  /too large for model with \d+ maximum context/i,
  /reduce the length of (?:the|your) (?:messages|prompt|input)/i,
  /input is too long for requested model/i,
  /too many (?:input )?tokens in (?:the )?prompt/i,
]

/** Limits on how much may be asked in a while: they count tokens too, and no shorter prompt helps against them. */
const RATE = [
  /rate[ _-]?limit/i,
  /tokens? per (?:min|minute|day|hour)/i,
  /\b[TR]PM\b/,
  /quota/i,
  /too many requests/i,
  /resource_exhausted/i,
]

export function saysOverflow(text: string): boolean {
  return !saysRateLimit(text) && OVERFLOW.some((pattern) => pattern.test(text))
}

export function saysRateLimit(text: string): boolean {
  return RATE.some((pattern) => pattern.test(text))
}
