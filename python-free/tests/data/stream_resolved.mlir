#executable_target_vmvx_bytecode_fb = #hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>}>
#executable_target_x86_64 = #hal.executable.target<"llvm-cpu", "xyz", {iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, target_triple="x86_64-xyz-xyz", cpu_features="+avx512f"}>
#encoding = #iree_encoding.encoding<
operand_index = 0 : index,
op_type = matmul,
element_types = [f32, f32, f32],
layouts = [#iree_encoding.specialized_encoding<123, tensor<?x?xf32>>]
>
#encoding1 = #iree_encoding.encoding<
operand_index = 0 : index,
op_type = matmul,
element_types = [f32, f32, f32],
layouts = [#iree_encoding.specialized_encoding<456, tensor<?x?xf32>>]
>
#encoding2 = #iree_encoding.layout<[#iree_cpu.cpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [16, 1], outerDimsPerm = [0, 1]}}>]>
util.global private @device_a = #executable_target_vmvx_bytecode_fb
util.global private @device_b = #executable_target_x86_64
util.func public @resolved() {
%1 = stream.tensor.dispatch on(#hal.device.affinity<@device_a>) @ex::@set_encoding(%0, %N, %K) : (tensor<?x?xf32>{%N, %K} in !stream.resource<*>{%c16}, index, index) -> tensor<?x?xf32, #encoding>{%N, %K} in !stream.resource<*>{%c16}
%4 = stream.tensor.dispatch on(#hal.device.affinity<@device_b>) @ex_dup0::@set_encoding(%3, %N, %K) : (tensor<?x?xf32>{%N, %K} in !stream.resource<*>{%c16}, index, index) -> tensor<?x?xf32, #encoding1>{%N, %K} in !stream.resource<*>{%c16}
%5 = stream.tensor.dispatch on(#hal.device.affinity<@device_a>) @ex::@set_encoding(%3, %N, %K) : (tensor<?x?xf32>{%N, %K} in !stream.resource<*>{%c16}, index, index) -> tensor<?x?xf32, #encoding>{%N, %K} in !stream.resource<*>{%c16}
%6 = stream.tensor.dispatch on(#hal.device.affinity<@device_b>) @use::@use(%7, %5) : (tensor<?x?xf32, #encoding2>{%N, %K} in !stream.resource<*>{%c16}, tensor<?x?xf32, #encoding>{%N, %K} in !stream.resource<*>{%c16}) -> index
%8 = stream.tensor.sizeof on(#hal.device.affinity<@device_b>) tensor<?x?xf32, #encoding2>{%N, %K} : index
util.return
}
